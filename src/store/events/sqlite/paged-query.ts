import type { Database, SqlRow, SqlValue, Statement } from '../../database.ts';
import { readShare } from './turn.ts';

export interface RowPage<Row> {
  rows: Row[];
  /** There are no more rows. */
  isLast: boolean;
}

/** A query of events, `e`, whose result is read in pages that fit into one turn of the event loop. */
export class PagedQuery<Row extends SqlRow> {
  readonly #rows: Statement<Row>;
  readonly #fitting: Statement<[fitting: number, found: number]>;

  /** @param body of the query, from FROM on, without LIMIT */
  constructor(database: Database, { columns, body, order }: { columns: string; body: string; order: string }) {
    const ordered = `${body} ORDER BY ${order}`;
    this.#rows = database.prepare(`SELECT ${columns} ${ordered} LIMIT ?`);
    // SQLite knows the size of a text without reading it.
    const size = 'octet_length(e.data) + octet_length(e.metadata)';
    this.#fitting = database.prepare(
      `SELECT count(*) FILTER (WHERE total <= ${readShare.characters}), count(*)
       FROM (SELECT sum(${size}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS total ${ordered} LIMIT ?)`,
    );
  }

  /** The first rows, at least one if there is any and up to `limit`. */
  page(limit: number, ...parameters: SqlValue[]): RowPage<Row> {
    const wanted = Math.min(limit, readShare.events);
    if (wanted === 1) return { rows: this.#rows.all(...parameters, 1), isLast: false };
    // One row more shows whether this page is the last.
    const [fitting = 0, found = 0] = this.#fitting.get(...parameters, wanted + 1) ?? [];
    const count = Math.min(wanted, Math.max(1, fitting));
    return { rows: found === 0 ? [] : this.#rows.all(...parameters, count), isLast: found <= count };
  }
}

import { rmSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import type { Sealed } from '../../../actors/ports/sealer.ts';
import type { SessionState } from '../../../actors/session/events.ts';
import type { Committed, SessionEnd } from '../../../actors/session/restore.ts';
import { sessionViewVersion } from '../../../projections/evolve-session-view.ts';
import {
  externalKeyOf,
  type ListOptions,
  type ListOrder,
  type SessionView,
  searchTextOf,
  type WantedSessions,
} from '../../../projections/session-view.ts';
import type { SideTable } from '../../../projections/side-view.ts';
import type { ViewChanges, ViewDatabase, ViewProgress } from '../../../projections/view-database.ts';
import { DamagedDatabaseError, type Database, NewerDatabaseError, openDatabase, type Statement } from '../database.ts';
import { SideRows } from './side-rows.ts';
import { viewMigrations } from './view-migrations.ts';

/** Characters of the cached views, with those of their pictures: a response that is built from a view lives as long. */
const maxCachedCharacters = 64 * 1024 * 1024;

/**
 * Opens the SQLite file of the views. A file that is damaged, or of another version, is replaced: the views are rebuilt
 * from the events.
 */
export function openViewDatabase(file: string): ViewDatabase {
  const existing = openIfUsable(file);
  if (existing !== undefined) return existing;
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  return new SqliteViewDatabase(open(file));
}

/** Undefined if the file cannot be used. */
function openIfUsable(file: string): ViewDatabase | undefined {
  let database: Database | undefined;
  try {
    database = open(file);
    if (database.findFault() === undefined && isOfThisVersion(database)) return new SqliteViewDatabase(database);
  } catch (error) {
    if (!(error instanceof NewerDatabaseError) && !(error instanceof DamagedDatabaseError)) throw error;
  }
  database?.close();
  return undefined;
}

function isOfThisVersion(database: Database): boolean {
  const [version] = database.prepare<[version: number]>('SELECT fold_version FROM progress').get() ?? [];
  return version === undefined || version === sessionViewVersion;
}

const open = (file: string): Database =>
  openDatabase({ file, migrations: viewMigrations, durability: 'normal', secureDelete: true });

type ProgressRow = [upTo: string, position: string, stream: string, revision: number, eventId: string];

class SqliteViewDatabase implements ViewDatabase {
  #database: Database;
  #cache = new LRUCache<string, { view: SessionView; size: number }>({
    maxSize: maxCachedCharacters,
    sizeCalculation: ({ size }) => size,
  });
  #progress: ViewProgress | undefined;
  #find: Statement<[view: string]>;
  #findPicture: Statement<[picture: Sealed]>;
  #put: Statement<[]>;
  #putPicture: Statement<[]>;
  #putEnd: Statement<[]>;
  #removeEnd: Statement<[]>;
  #listLiveIds: Statement<[id: string]>;
  #listEnds: Statement<[id: string, committed: string | null]>;
  #putProgress: Statement<[]>;
  /** By their SQL. */
  #lists = new Map<string, Statement<[view: string]>>();
  #findByExternalKey: Statement<[view: string]>;
  #count: Statement<[state: SessionState, count: number]>;
  #countOfTenant: Statement<[state: SessionState, count: number]>;
  #countOfKey: Statement<[count: number]>;
  readonly #sides: SideRows;
  #remove: Statement<[]>;
  #removePicture: Statement<[]>;
  #clear: Statement<[]>[];

  constructor(database: Database) {
    this.#database = database;
    this.#find = database.prepare('SELECT view FROM session_views WHERE id = ?');
    this.#findPicture = database.prepare('SELECT picture FROM session_pictures WHERE id = ?');
    this.#putPicture = database.prepare('REPLACE INTO session_pictures (id, picture) VALUES (?, ?)');
    this.#put = database.prepare(
      'REPLACE INTO session_views (id, state, ended, since, tenant, key, external_key, external_id, label, search, view) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#putEnd = database.prepare('REPLACE INTO session_ends (id, committed) VALUES (?, ?)');
    this.#removeEnd = database.prepare('DELETE FROM session_ends WHERE id = ?');
    this.#listLiveIds = database.prepare('SELECT id FROM session_views WHERE ended = 0 AND id > ? ORDER BY id LIMIT ?');
    this.#listEnds = database.prepare('SELECT id, committed FROM session_ends WHERE id > ? ORDER BY id LIMIT ?');
    this.#putProgress = database.prepare(
      'REPLACE INTO progress (only, fold_version, up_to, position, stream, revision, event_id) VALUES (1, ?, ?, ?, ?, ?, ?)',
    );
    this.#findByExternalKey = database.prepare('SELECT view FROM session_views WHERE external_key = ? ORDER BY id');
    this.#count = database.prepare('SELECT state, count(*) FROM session_views GROUP BY state');
    this.#countOfTenant = database.prepare('SELECT state, count(*) FROM session_views WHERE tenant = ? GROUP BY state');
    this.#countOfKey = database.prepare('SELECT count(*) FROM session_views WHERE key = ? AND ended = 0');
    this.#sides = new SideRows(database);
    this.#remove = database.prepare('DELETE FROM session_views WHERE id = ?');
    this.#removePicture = database.prepare('DELETE FROM session_pictures WHERE id = ?');
    this.#clear = ['session_views', 'session_pictures', 'session_ends', 'side_rows', 'progress'].map((table) =>
      database.prepare(`DELETE FROM ${table}`),
    );
    const row = database.prepare<ProgressRow>('SELECT up_to, position, stream, revision, event_id FROM progress').get();
    if (row === undefined) return;
    const [upTo, position, stream, revision, eventId] = row;
    this.#progress = { upTo: BigInt(upTo), position: BigInt(position), stream, revision, eventId };
  }

  get progress(): ViewProgress | undefined {
    return this.#progress;
  }

  get(id: string): SessionView | undefined {
    const cached = this.#cache.get(id);
    if (cached !== undefined) return cached.view;
    const text = this.#find.get(id)?.[0];
    return text === undefined ? undefined : this.#remember(parse(text), text.length);
  }

  picture(id: string): Sealed | undefined {
    return this.#findPicture.get(id)?.[0];
  }

  list({ after = '', limit, sort = 'created', ...wanted }: ListOptions): SessionView[] {
    const conditions = conditionsOf(wanted);
    const { before, place, order } = placeAfter(after, sort);
    const where = [...conditions.keys(), ...before].join(' AND ') || 'true';
    const sql = `SELECT view FROM session_views WHERE ${where} ORDER BY ${order} LIMIT ?`;
    return this.#listWith(sql)
      .all(...conditions.values(), ...place, limit)
      .map(([text]) => parse(text));
  }

  liveIds(after: string, limit: number): string[] {
    return this.#listLiveIds.all(after, limit).map(([id]) => id);
  }

  byExternalKey(key: string): SessionView | undefined {
    const text = this.#findByExternalKey.get(key)?.[0];
    return text === undefined ? undefined : parse(text);
  }

  countByState(tenant?: string): Partial<Record<SessionState, number>> {
    return Object.fromEntries(tenant === undefined ? this.#count.all() : this.#countOfTenant.all(tenant));
  }

  countOfKeys(ids: readonly string[]): number {
    return ids.reduce((sum, id) => sum + (this.#countOfKey.get(id)?.[0] ?? 0), 0);
  }

  side(name: string): SideTable {
    return this.#sides.table(name);
  }

  #listWith(sql: string): Statement<[view: string]> {
    const list = this.#lists.get(sql) ?? this.#database.prepare<[view: string]>(sql);
    this.#lists.set(sql, list);
    return list;
  }

  ends(after: string, limit: number): SessionEnd[] {
    return this.#listEnds.all(after, limit).map(([id, text]) => ({
      id,
      // Most of those that read ends need few of them.
      get committed() {
        return parseEnd(text);
      },
    }));
  }

  save({ views, pictures, ends, sides }: ViewChanges, progress: ViewProgress): void {
    const { upTo, position, stream, revision, eventId } = progress;
    const rows = Array.from(views, (view) => ({ view, text: stringify(view) }));
    this.#database.transaction(() => {
      for (const { view, text } of rows) {
        const { id, state, ended, since, tenant = null, key = null, externalId = null, label = null } = view;
        const names = [tenant, key, externalKeyOf(view) ?? null, externalId, label, searchTextOf(view)];
        this.#put.run(id, state, ended ? 1 : 0, since, ...names, text);
      }
      for (const [id, picture] of pictures) {
        if (picture === undefined) this.#removePicture.run(id);
        else this.#putPicture.run(id, picture);
      }
      for (const [id, end] of ends) {
        if (end === undefined) this.#removeEnd.run(id);
        else this.#putEnd.run(id, end.committed === undefined ? null : stringify(end.committed));
      }
      for (const [name, changes] of sides) {
        for (const [key, value] of changes) {
          this.#sides.put(name, key, value);
        }
      }
      this.#putProgress.run(sessionViewVersion, upTo.toString(), position.toString(), stream, revision, eventId);
    });
    for (const { view, text } of rows) this.#remember(view, text.length);
    this.#progress = progress;
  }

  remove(ids: readonly string[]): void {
    this.#database.transaction(() => {
      for (const id of ids) {
        this.#remove.run(id);
        this.#removePicture.run(id);
        this.#removeEnd.run(id);
      }
    });
    for (const id of ids) this.#cache.delete(id);
  }

  clear(): void {
    this.#database.transaction(() => {
      for (const clear of this.#clear) clear.run();
    });
    this.#cache.clear();
    this.#progress = undefined;
  }

  close(): void {
    this.#database.close();
  }

  #remember(view: SessionView, size: number): SessionView {
    this.#cache.set(view.id, { view, size: size + (view.pictureLength ?? 0) });
    return view;
  }
}

/** Conditions of SQL, and the value of each. */
function conditionsOf({ state, tenant, externalId, label, q }: WantedSessions): Map<string, string | number> {
  const conditions = new Map<string, string | number>();
  if (externalId !== undefined) conditions.set('external_id = ?', externalId);
  if (label !== undefined) conditions.set('label = ?', label);
  if (tenant !== undefined) conditions.set('tenant = ?', tenant);
  if (q !== undefined) conditions.set('instr(search, ?) > 0', q);
  if (state === undefined || state === 'ended') conditions.set('ended = ?', state === 'ended' ? 1 : 0);
  else if (state !== 'any') conditions.set('state = ?', state);
  return conditions;
}

/** The order in SQL, and the condition that leaves out all up to a place, which an empty text does not have. */
function placeAfter(after: string, sort: ListOrder): { before: string[]; place: (string | number)[]; order: string } {
  const isDown = sort.startsWith('-');
  const [relation, direction] = isDown ? ['<', 'DESC'] : ['>', 'ASC'];
  if (sort === 'created' || sort === '-created') {
    const order = `id ${direction}`;
    return after === '' ? { before: [], place: [], order } : { before: [`id ${relation} ?`], place: [after], order };
  }
  const order = `since ${direction}, id ${direction}`;
  if (after === '') return { before: [], place: [], order };
  const dot = after.indexOf('.');
  const place = [Number(after.slice(0, dot)), after.slice(dot + 1)];
  return { before: [`(since, id) ${relation} (?, ?)`], place, order };
}

const stringify = (row: SessionView | Committed): string =>
  JSON.stringify({ ...row, position: row.position.toString() });

function parseEnd(text: string | null): Committed | undefined {
  if (text === null) return undefined;
  const row = JSON.parse(text) as Committed & { position: string };
  return { ...row, position: BigInt(row.position) };
}

function parse(text: string): SessionView {
  const row = JSON.parse(text) as SessionView & { position: string };
  return { ...row, position: BigInt(row.position) };
}

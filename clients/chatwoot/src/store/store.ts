import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import type { ChatwootMessage } from '../chatwoot/payloads.ts';
import type { Envelope } from '../gateway/envelope.ts';

/** An event of the gateway that waits for its way into Chatwoot. */
export interface IncomingRow {
  seq: number;
  event: Envelope;
  /** It was posted at this time (ms), and what became of that is not known; 0: it never was. */
  triedAt: number;
}

/** A message of an agent that waits for its way to Telegram. */
export interface OutgoingRow {
  conversationId: number;
  message: ChatwootMessage;
  /** When the bridge first heard of it (ms). */
  receivedAt: number;
  /** How many of its parts are sent. */
  sentParts: number;
  /** Why it cannot be sent: the agent has to be told. */
  refusal: string | undefined;
}

export interface ChatRow {
  contactId: number;
  sourceId: string;
  conversationId: number;
}

const schema = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS chat (
    id TEXT PRIMARY KEY, contact INTEGER NOT NULL, source TEXT NOT NULL, conversation INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS conversation (
    id INTEGER PRIMARY KEY, chat TEXT NOT NULL, cursor INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE IF NOT EXISTS incoming (
    seq INTEGER PRIMARY KEY, chat TEXT NOT NULL, event TEXT NOT NULL, tried INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE INDEX IF NOT EXISTS incoming_waiting ON incoming (chat, seq);
  CREATE TABLE IF NOT EXISTS outgoing (
    id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, message TEXT NOT NULL, state TEXT NOT NULL,
    received INTEGER NOT NULL, parts INTEGER NOT NULL DEFAULT 0, refusal TEXT) STRICT;
  CREATE INDEX IF NOT EXISTS outgoing_waiting ON outgoing (conversation, id) WHERE state = 'waiting';
  CREATE TABLE IF NOT EXISTS pair (
    chat TEXT NOT NULL, telegram TEXT NOT NULL, chatwoot INTEGER NOT NULL, PRIMARY KEY (chat, telegram)) STRICT;
  CREATE INDEX IF NOT EXISTS pair_chatwoot ON pair (chatwoot);
`;

type Row = Record<string, string | number | null>;

/**
 * What the bridge knows, in one SQLite file that only its owner can read. What is recorded survives `kill -9` and a power
 * cut. Texts are removed as soon as a message has arrived.
 */
export class Store {
  readonly #database: InstanceType<typeof Libsql>;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, 'bridge.db');
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
    this.#database = new Libsql(file);
    this.#database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;`);
    this.#database.exec(schema);
  }

  close(): void {
    this.#database.close();
  }

  meta(name: string): string | undefined {
    return this.#get('SELECT value FROM meta WHERE name = ?', name)?.['value'] as string | undefined;
  }

  setMeta(name: string, value: string): void {
    this.#run('INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value', name, value);
  }

  /** Number of the last event that is recorded; undefined before the first one. */
  lastSeq(): number | undefined {
    const seq = this.meta('seq');
    return seq === undefined ? undefined : Number(seq);
  }

  /** Records an event once, with the place in the stream. False if it was here before. */
  recordIncoming(event: Envelope): boolean {
    return this.#transaction(() => {
      const isNew = event.seq > (this.lastSeq() ?? 0);
      if (isNew) {
        this.#run(
          `INSERT INTO incoming (seq, chat, event) VALUES (?, ?, ?)`,
          event.seq,
          event.data.chatId,
          JSON.stringify(event),
        );
        this.setMeta('seq', String(event.seq));
      }
      return isNew;
    });
  }

  nextIncoming(chatId: string): IncomingRow | undefined {
    const sql = `SELECT seq, event, tried FROM incoming WHERE chat = ? ORDER BY seq LIMIT 1`;
    const row = this.#get(sql, chatId);
    if (row === undefined) return undefined;
    return {
      seq: Number(row['seq']),
      event: JSON.parse(String(row['event'])) as Envelope,
      triedAt: Number(row['tried']),
    };
  }

  /** Said before a message is posted: after a crash the bridge looks whether it is there. */
  markTried(seq: number, now: number): void {
    this.#run('UPDATE incoming SET tried = ? WHERE seq = ? AND tried = 0', now, seq);
  }

  /** @param pair IDs of one message on both sides; left out if Chatwoot has none of it */
  finishIncoming(seq: number, pair?: { chatId: string; telegramId: string; chatwootId: number }): void {
    this.#transaction(() => {
      if (pair !== undefined) this.#addPair(pair.chatId, pair.telegramId, pair.chatwootId);
      this.#run('DELETE FROM incoming WHERE seq = ?', seq);
    });
  }

  /** Records a message of an agent once. False if it was here before, or is one of the bridge's own. */
  recordOutgoing(chatId: string, conversationId: number, message: ChatwootMessage, now: number): boolean {
    return this.#transaction(() => {
      this.#run(
        'INSERT INTO conversation (id, chat) VALUES (?, ?) ON CONFLICT (id) DO NOTHING',
        conversationId,
        chatId,
      );
      if (this.#get('SELECT 1 AS found FROM pair WHERE chatwoot = ?', message.id) !== undefined) return false;
      // Where an agent wrote last, the customer's answers go too.
      this.#run(
        'UPDATE chat SET conversation = ? WHERE id = ? AND conversation < ?',
        conversationId,
        chatId,
        conversationId,
      );
      const sql = `INSERT INTO outgoing (id, conversation, message, state, received) VALUES (?, ?, ?, 'waiting', ?) ON CONFLICT (id) DO NOTHING`;
      return this.#run(sql, message.id, conversationId, JSON.stringify(message), now) > 0;
    });
  }

  nextOutgoing(conversationId: number): OutgoingRow | undefined {
    const sql = `SELECT message, received, parts, refusal FROM outgoing WHERE conversation = ? AND state = 'waiting' ORDER BY id LIMIT 1`;
    const row = this.#get(sql, conversationId);
    if (row === undefined) return undefined;
    return {
      conversationId,
      message: JSON.parse(String(row['message'])) as ChatwootMessage,
      receivedAt: Number(row['received']),
      sentParts: Number(row['parts']),
      refusal: row['refusal'] === null ? undefined : String(row['refusal']),
    };
  }

  finishPart(
    id: number,
    { sentParts, chatId, telegramId }: { sentParts: number; chatId: string; telegramId: string },
  ): void {
    this.#transaction(() => {
      this.#addPair(chatId, telegramId, id);
      this.#run('UPDATE outgoing SET parts = ? WHERE id = ?', sentParts, id);
    });
  }

  refuseOutgoing(id: number, refusal: string): void {
    this.#run('UPDATE outgoing SET refusal = ? WHERE id = ?', refusal, id);
  }

  finishOutgoing(id: number): void {
    this.#run(`UPDATE outgoing SET state = 'done', message = '' WHERE id = ?`, id);
  }

  chat(chatId: string): ChatRow | undefined {
    const row = this.#get('SELECT contact, source, conversation FROM chat WHERE id = ?', chatId);
    if (row === undefined) return undefined;
    return {
      contactId: Number(row['contact']),
      sourceId: String(row['source']),
      conversationId: Number(row['conversation']),
    };
  }

  setChat(chatId: string, { contactId, sourceId, conversationId }: ChatRow): void {
    this.#transaction(() => {
      const sql = `INSERT INTO chat VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET contact = excluded.contact, source = excluded.source, conversation = excluded.conversation`;
      this.#run(sql, chatId, contactId, sourceId, conversationId);
      this.#run(
        'INSERT INTO conversation (id, chat) VALUES (?, ?) ON CONFLICT (id) DO NOTHING',
        conversationId,
        chatId,
      );
    });
  }

  forgetChat(chatId: string): void {
    this.#run('DELETE FROM chat WHERE id = ?', chatId);
  }

  /** The chat of a conversation, and the last message of it that was looked at for what webhooks have missed. */
  conversation(id: number): { chatId: string; cursor: number } | undefined {
    const row = this.#get('SELECT chat, cursor FROM conversation WHERE id = ?', id);
    return row === undefined ? undefined : { chatId: String(row['chat']), cursor: Number(row['cursor']) };
  }

  setCursor(conversationId: number, chatId: string, cursor: number): void {
    const sql = `INSERT INTO conversation (id, chat, cursor) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET cursor = max(cursor, excluded.cursor)`;
    this.#run(sql, conversationId, chatId, cursor);
  }

  chatwootIdOf(chatId: string, telegramId: string): number | undefined {
    return this.#get('SELECT chatwoot FROM pair WHERE chat = ? AND telegram = ?', chatId, telegramId)?.['chatwoot'] as
      | number
      | undefined;
  }

  telegramIdOf(chatId: string, chatwootId: number): string | undefined {
    const sql = 'SELECT telegram FROM pair WHERE chat = ? AND chatwoot = ? ORDER BY CAST(telegram AS INTEGER) LIMIT 1';
    return this.#get(sql, chatId, chatwootId)?.['telegram'] as string | undefined;
  }

  /** Chats and conversations in which something waits. */
  waiting(): { chats: string[]; conversations: number[] } {
    const chats = this.#all(`SELECT DISTINCT chat FROM incoming`);
    const conversations = this.#all(`SELECT DISTINCT conversation FROM outgoing WHERE state = 'waiting'`);
    return {
      chats: chats.map((row) => String(row['chat'])),
      conversations: conversations.map((row) => Number(row['conversation'])),
    };
  }

  counts(): { incoming: number; outgoing: number } {
    const count = (rows: string): number => Number(this.#get(`SELECT count(*) AS count FROM ${rows}`)?.['count'] ?? 0);
    return { incoming: count('incoming'), outgoing: count(`outgoing WHERE state = 'waiting'`) };
  }

  #addPair(chatId: string, telegramId: string, chatwootId: number): void {
    this.#run('INSERT INTO pair VALUES (?, ?, ?) ON CONFLICT DO NOTHING', chatId, telegramId, chatwootId);
  }

  #get(sql: string, ...parameters: (string | number)[]): Row | undefined {
    return this.#database.prepare(sql).get(...parameters) as Row | undefined;
  }

  #all(sql: string): Row[] {
    return this.#database.prepare(sql).all() as Row[];
  }

  /** @returns how many rows it has changed */
  #run(sql: string, ...parameters: (string | number)[]): number {
    return this.#database.prepare(sql).run(...parameters).changes;
  }

  #transaction<T>(work: () => T): T {
    if (this.#database.inTransaction) return work();
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

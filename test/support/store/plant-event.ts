import { randomUUID } from 'node:crypto';
import { binaryEvent, KurrentDBClient } from '@kurrent/kurrentdb-client';
import Libsql from 'libsql';
import { BatchCall } from '../../../src/store/events/kurrent/batch-append.ts';

/** An event as another program, a later version or a damaged disk may leave it in a store: nobody looks at its texts. */
export interface PlantedEvent {
  type: string;
  data: string;
  /** Undefined: there is none. */
  metadata: string | undefined;
}

/** An event that is not said to be JSON. */
export type PlantedBytes = Omit<PlantedEvent, 'data'> & { data: Uint8Array };

/** At the end of a stream of the embedded store, past a gateway that has it open. */
export function plantInSqlite(
  file: string,
  stream: string,
  { type, data, metadata = 'null' }: PlantedEvent | PlantedBytes,
): void {
  const database = new Libsql(file, { timeout: 5000 });
  try {
    database.exec('BEGIN IMMEDIATE');
    database.prepare('INSERT INTO streams (name) VALUES (?) ON CONFLICT DO NOTHING').run([stream]);
    database
      .prepare(
        `INSERT INTO events (sid, rev, id, type, data, metadata, created)
         SELECT sid, max(removed, coalesce((SELECT max(rev) FROM events WHERE events.sid = streams.sid), -1)) + 1, ?, ?, ?, ?, ?
         FROM streams WHERE name = ?`,
      )
      .run([randomUUID(), type, data, metadata, Date.now(), stream]);
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

/** At the end of a stream on a KurrentDB server. */
export async function plantInKurrentDb(
  url: string,
  stream: string,
  { type, data, metadata = '' }: PlantedEvent | PlantedBytes,
): Promise<void> {
  const client = KurrentDBClient.connectionString(url);
  try {
    if (typeof data !== 'string') {
      await client.appendToStream(stream, binaryEvent({ type, data, metadata: Buffer.from(metadata) }));
      return;
    }
    const call = await BatchCall.of(client);
    const event = { id: randomUUID(), type, data: Buffer.from(data), metadata: Buffer.from(metadata) };
    await call?.append({ stream, expected: 'any', events: [event] });
  } finally {
    await client.dispose();
  }
}

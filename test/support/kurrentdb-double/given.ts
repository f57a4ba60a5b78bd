import { randomUUID } from 'node:crypto';
import { jsonEvent, KurrentDBClient } from '@kurrent/kurrentdb-client';
import { onTestFinished } from 'vitest';
import type { KurrentDbDouble } from './server.ts';

export const someEvent = (data: Record<string, string | number> = {}) =>
  jsonEvent({ id: randomUUID(), type: 'SomethingHappened', data, metadata: { by: 'test' } });

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** A client of servers that are the test's own: it ends with the test, and they do. */
export function clientAt(url: string, ...servers: KurrentDbDouble[]): KurrentDBClient {
  const client = KurrentDBClient.connectionString(url);
  onTestFinished(async () => {
    await client.dispose();
    await Promise.all(servers.map((server) => server.stop()));
  });
  return client;
}

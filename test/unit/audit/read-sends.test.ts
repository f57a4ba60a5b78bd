import { expect, it } from 'vitest';
import { type ReadSendsDeps, readSends } from '../../../src/audit/read-sends.ts';
import type { SendEntry } from '../../../src/audit/send-entry-schema.ts';
import { sendCodec } from '../../../src/messaging/send-codec.ts';
import { createDrivenClock } from '../../support/kit/clock.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

const hour = 60 * 60_000;
const clock = createDrivenClock();

const store = createMemoryStore(clock);
const unreadable: number[] = [];
const reportUnreadable: ReadSendsDeps['reportUnreadable'] = ({ revision }) => void unreadable.push(revision);

let count = 0;
const record = (type: string, data: object): Promise<unknown> =>
  store.append('send-s1', 'any', [
    {
      id: `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
      type,
      data: data as never,
      metadata: sendCodec.stamp({}),
    },
  ]);
const read = async (after = 0): Promise<SendEntry[]> => {
  const entries: SendEntry[] = [];
  for await (const entry of readSends({ store, reportUnreadable }, 's1', after, clock.now())) entries.push(entry);
  return entries;
};
const begun = (key: string, more: object = {}): object => ({ key, body: 'b', randomId: '1', at: clock.now(), ...more });

it('[AD7.1] tells sends of a day, older ones without their origin, and leaves out what cannot be read', async () => {
  await record('SendBegun', begun('old', { by: 'owner', operation: 'POST /message' }));
  await clock.advance(23 * hour);
  await record('SendBegun', begun('plain'));
  await record('SendWithdrawn', { key: 'plain' });
  await record('SendAnswered', { key: 'plain', answer: { messageId: '7' } });
  expect((await read()).map(({ send }) => send)).toEqual(['old', 'plain', 'plain']);
  await clock.advance(hour);
  const created = new Date(clock.now() - hour).toISOString();
  expect(await read()).toEqual([
    { seq: 2, type: 'SendBegun', created, send: 'plain' },
    { seq: 4, type: 'SendAnswered', created, send: 'plain' },
  ]);
  expect(await read(2)).toMatchObject([{ seq: 4 }]);
  expect(new Set(unreadable)).toEqual(new Set([2]));
});

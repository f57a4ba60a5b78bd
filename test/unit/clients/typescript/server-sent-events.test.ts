import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import {
  type ServerSentEvent,
  serverSentEvents,
} from '../../../../clients/typescript/src/streams/server-sent-events.ts';

afterEach(() => void vi.useRealTimers());

/** What eventsource-parser makes of it. */
function reference(text: string): ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  createParser({ onEvent: ({ id = '', data }) => void events.push({ id, data }) }).feed(text);
  return events;
}

async function ours(chunks: readonly Uint8Array[]): Promise<ServerSentEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  return allOf(body);
}

async function allOf(body: ReadableStream<Uint8Array>): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of serverSentEvents(body)) events.push(event);
  return events;
}

const line = fc.oneof(
  fc.constantFrom(': alive', 'retry: 2000', 'event: message', 'id: 17', 'id:18', 'data', 'data:', '', ''),
  fc.string({ maxLength: 12, unit: 'grapheme' }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
);

it('[TC1.7] reads a stream as the standard has it, wherever its chunks end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 20 }),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }),
      async (lines, ending, sizes) => {
        const text = lines.map((one) => one + ending).join('') + ending;
        const bytes = new TextEncoder().encode(text);
        const chunks: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        // An event without data is none of the gateway's: the reference passes on those with an empty one.
        expect(await ours(chunks)).toEqual(reference(text).filter(({ data }) => data !== '' || text.includes('data')));
      },
    ),
    { numRuns: 300 },
  );
});

it('[TC1.7] gives a connection up that is silent for 45 s, three times as long as the gateway ever is', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    cancel: () => {
      isCancelled = true;
    },
  });
  const failure = allOf(body).then(
    () => 'ended',
    (error: Error) => error.message,
  );
  await vi.advanceTimersByTimeAsync(44_999);
  expect(isCancelled).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect([await failure, isCancelled]).toEqual(['nothing came for 45000 ms', true]);
});

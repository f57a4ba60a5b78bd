import bigInt from 'big-integer';
import { Api } from 'telegram';
import { expect, it } from 'vitest';
import { LightAbort } from '../../../../../actors/kit/light-abort.ts';
import { MessageLookUp, maxWaitMs } from '../../../../../src/telegram/gramjs/files/message-look-up.ts';
import type { KnownPeer } from '../../../../../src/telegram/peer-cache.ts';

interface Asked {
  className: string;
  ids: number[];
  maxWaitMs: number | undefined;
  signal: { readonly aborted: boolean };
  answer: (ids?: readonly number[]) => void;
  fail: (error: Error) => void;
}

const channel = (id: string): KnownPeer => ({ kind: 'channel', id, hash: '1' });
const message = (id: number): Api.Message =>
  new Api.Message({ id, date: 1, message: '', peerId: new Api.PeerUser({ userId: bigInt(7) }) });
/** What is asked for goes out after a turn of the event loop. */
async function turn(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
}

function lookUp(): { look: MessageLookUp; asked: Asked[] } {
  const asked: Asked[] = [];
  const call = (request: Api.messages.GetMessages, signal: Asked['signal'], waitMs?: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const ids = request.id.map((each) => (each as Api.InputMessageID).id);
      const answer = (given: readonly number[] = ids): void =>
        resolve(new Api.messages.Messages({ messages: given.map(message), chats: [], users: [], topics: [] } as never));
      asked.push({ className: request.className, ids, maxWaitMs: waitMs, signal, answer, fail: reject });
    });
  return { look: new MessageLookUp(call as never), asked };
}

it('[ME2.2] the messages of a page are one request, and each caller gets its own', async () => {
  const { look, asked } = lookUp();
  const stop = new LightAbort();
  const found = [1, 2, 3, 2].map((id) => look.get(undefined, id, stop));
  await turn();
  expect(asked).toMatchObject([{ className: 'messages.GetMessages', ids: [1, 2, 3], maxWaitMs }]);
  asked[0]?.answer([3, 1]);
  expect((await Promise.all(found)).map((each) => each?.id)).toEqual([1, undefined, 3, undefined]);
});

it('[ME2.2] what is asked for meanwhile goes into the next request, of its own box', async () => {
  const { look, asked } = lookUp();
  const stop = new LightAbort();
  const first = look.get(undefined, 1, stop);
  await turn();
  const others = [2, 3].map((id) => look.get(undefined, id, stop));
  const elsewhere = [look.get(channel('-1009'), 4, stop), look.get(channel('-1008'), 5, stop)];
  await turn();
  expect(asked.map(({ className, ids }) => [className, ids])).toEqual([
    ['messages.GetMessages', [1]],
    ['channels.GetMessages', [4]],
    ['channels.GetMessages', [5]],
  ]);
  asked[0]?.answer();
  await first;
  await turn();
  expect(asked[3]?.ids).toEqual([2, 3]);
  for (const each of asked.slice(1)) each.answer();
  expect((await Promise.all([...others, ...elsewhere])).map((each) => each?.id)).toEqual([2, 3, 4, 5]);
});

it('[ME2.2] a request has 100 at most', async () => {
  const { look, asked } = lookUp();
  const stop = new LightAbort();
  const found = Array.from({ length: 201 }, (_, index) => look.get(undefined, index + 1, stop));
  for (let round = 0; round < 3; round += 1) {
    await turn();
    asked[round]?.answer();
  }
  expect((await Promise.all(found)).map((each) => each?.id)).toEqual(found.map((_, index) => index + 1));
  expect(asked.map(({ ids }) => ids.length)).toEqual([100, 100, 1]);
});

it('[ME2.2] a failure is that of its own request, and the next one is made all the same', async () => {
  const { look, asked } = lookUp();
  const stop = new LightAbort();
  const first = look.get(undefined, 1, stop);
  await turn();
  const next = look.get(undefined, 2, stop);
  asked[0]?.fail(new Error('flooded'));
  await expect(first).rejects.toThrow('flooded');
  await turn();
  asked[1]?.answer();
  expect((await next)?.id).toBe(2);
  const later = look.get(undefined, 3, stop);
  await turn();
  asked[2]?.answer();
  expect((await later)?.id).toBe(3);
});

it('[ME2.1] a viewer who leaves ends its wait, and the request with the last of them', async () => {
  const { look, asked } = lookUp();
  const [one, other] = [new LightAbort(), new LightAbort()];
  const found = [look.get(undefined, 1, one), look.get(undefined, 2, other)];
  await turn();
  one.abort(new Error('left'));
  await expect(found[0]).rejects.toThrow('left');
  expect(asked[0]?.signal.aborted).toBe(false);
  other.abort(new Error('left too'));
  await expect(found[1]).rejects.toThrow('left too');
  expect(asked[0]?.signal.aborted).toBe(true);
  await expect(look.get(undefined, 1, one)).rejects.toThrow('left');
});

it('[ME2.1] a request that no viewer waits for any more is not made', async () => {
  const { look, asked } = lookUp();
  const stop = new LightAbort();
  const found = look.get(undefined, 1, stop);
  stop.abort(new Error('left'));
  await expect(found).rejects.toThrow('left');
  await turn();
  expect(asked).toEqual([]);
});

it('[ME2.1] an answer that leaves everything out has nothing', async () => {
  const answer = new Api.messages.MessagesNotModified({ count: 0 });
  const look = new MessageLookUp(async () => answer);
  expect(await look.get(undefined, 1, new LightAbort())).toBeUndefined();
});

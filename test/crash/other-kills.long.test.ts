import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/config/clock.ts';
import { type Operation, overKills, unless } from '../support/crash/killed-operations.ts';
import { killsOr, useKilling } from '../support/crash/killing.ts';
import { ann } from '../support/crash/writing-people.ts';
import { httpClient } from '../support/gateway/gateway.ts';

/** What else takes an `Idempotency-Key`, over `kill -9` of the real program: messages for later, polls, stories, new chats. */

const kills = killsOr(20);
const bob = '1002';
const cara = '1003';
const makers = '-1003001';
/** Stories that an account may post a day, at the sandbox as at Telegram. */
const storiesADay = 3;
const monthMs = 30 * 24 * 3_600_000;
const sendAt = new Date(systemClock.now() + monthMs).toISOString();

const killing = useKilling();
let picture: string;
beforeAll(async () => {
  const image = sharp({ create: { width: 90, height: 160, channels: 3, background: '#338844' } });
  picture = (await image.png().toBuffer()).toString('base64');
});

const at = <T>(path: string): Promise<T[]> => killing.sandbox.call('GET', `/accounts/${ann}${path}`);

async function aText(round: number): Promise<Operation> {
  const text = `now ${round}`;
  return {
    method: 'POST',
    path: '/message',
    body: { user: bob, type: 'text', text },
    faultOf: async (answer) => {
      const found = (await at<{ id: number; text: string }>(`/messages?peer=${bob}&limit=10`)).filter(
        (message) => message.text === text,
      );
      const isRight = found.length === 1 && answer.body['messageId'] === String(found[0]?.id);
      return unless(isRight, [answer, found]);
    },
  };
}

async function aPoll(round: number): Promise<Operation> {
  const question = `Round ${round}?`;
  return {
    method: 'POST',
    path: '/message',
    body: { group: makers, type: 'poll', poll: { question, options: ['Yes', 'No'] } },
    faultOf: async (answer) => {
      const messages = await at<{ id: number; media: { question?: string } | null }>(
        `/messages?peer=${makers}&limit=10`,
      );
      const found = messages.filter(({ media }) => media?.question === question);
      const isRight = found.length === 1 && answer.body['messageId'] === String(found[0]?.id);
      return unless(isRight, [answer, found]);
    },
  };
}

/** A message, or an album of two files, in the queue of a chat once; with the IDs of the response. */
async function forLater(peer: string, content: object, text: string, count: number): Promise<Operation> {
  return {
    method: 'POST',
    path: '/message',
    body: { user: peer, text, sendAt, ...content },
    faultOf: async (answer, { url, headers }) => {
      const waiting = await httpClient(url).request<{ docs: { id: string; text: string }[] }>(
        'GET',
        `/message/scheduled?chatId=${peer}`,
        { headers },
      );
      const { scheduledId, scheduledIds = [scheduledId] } = answer.body as {
        scheduledId?: string;
        scheduledIds?: string[];
      };
      const { docs } = waiting.body;
      const isThere = scheduledIds.every((id) => docs.some((one) => one.id === id));
      const isRight = scheduledIds.length === count && isThere && docs.filter((one) => one.text === text).length === 1;
      return unless(answer.status === 200 && isRight, [answer, docs]);
    },
  };
}

async function aStory(round: number): Promise<Operation> {
  const text = `story ${round}`;
  return {
    method: 'POST',
    path: '/status',
    body: { type: 'image', text, image: { data: picture, mimetype: 'image/png' } },
    faultOf: async (answer) => {
      const found = (await at<{ id: number; caption: string }>('/stories')).filter(({ caption }) => caption === text);
      return unless(found.length === 1 && answer.body['statusId'] === String(found[0]?.id), [answer, found]);
    },
  };
}

async function aChat(round: number, path: '/group' | '/channel'): Promise<Operation> {
  const name = `Made ${path} ${round}`;
  return {
    method: 'POST',
    path,
    body: { name, users: [bob] },
    faultOf: async (answer) => {
      const found = (await at<{ peer: string; title: string }>('/chats')).filter(({ title }) => title === name);
      const id = answer.body['groupId'] ?? answer.body['channelId'];
      return unless(found.length === 1 && id === found[0]?.peer, [answer, found]);
    },
  };
}

it(`[MS7.1] [MX1.1] [MX1.15] [GX1.2] texts, polls, messages for later, stories and chats are made once, over ${kills} kills at any moment`, async () => {
  const unanswered = await overKills(killing, {
    kills,
    longestMomentMs: 300,
    prepare: async (round) => {
      const items = [1, 2].map((part) => ({
        type: 'document',
        document: {
          data: Buffer.from(`part ${part}`).toString('base64'),
          name: `${part}.txt`,
          mimetype: 'text/plain',
          size: 6,
        },
      }));
      return [
        await aText(round),
        await aPoll(round),
        await forLater(bob, { type: 'text' }, `later ${round}`, 1),
        await forLater(cara, { type: 'album', album: { items } }, `album ${round}`, 2),
        ...(round < storiesADay ? [await aStory(round)] : []),
        await aChat(round, round % 2 === 0 ? '/group' : '/channel'),
      ];
    },
  });
  expect(unanswered).toBeGreaterThan(kills / 2);
});

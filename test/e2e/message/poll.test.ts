import { describe, expect, it } from 'vitest';
import { useKeyed } from '../../support/e2e/keyed-messages.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';

/** `POST /message` of the type `poll`, as the other members' phones show it, and what becomes of a vote. */

const { writing, post, restart } = useKeyed();
const { arrivals, calls, fault, newText, seen } = writing;

const family = '-2001';
const poll = (more: object = {}): { question: string; options: string[] } & object => ({
  question: newText(),
  options: ['Tea', 'Coffee', 'Water'],
  ...more,
});
const send = (body: object, receiver: object = { group: family }): Promise<Answer> =>
  writing.send({ ...receiver, type: 'poll', poll: body, text: 'is ignored' });
const vote = (messageId: string, answers: number[]): Promise<unknown> =>
  writing.scene.sandbox.call('PUT', `/accounts/${bob}/messages/${family}/${messageId}/vote`, { answers });

describe('a poll', () => {
  it.each<[string, object, string]>([
    ['a basic group', { group: family }, family],
    ['a supergroup', { group: '-1003001' }, '-1003001'],
    ['a channel', { channel: '-1004001' }, '-1004001'],
  ])('[MX1.4] in %s is seen by the others', async (_what, receiver, chat) => {
    const body = poll();
    const answer = await send(body, receiver);
    expect(answer).toMatchObject({ status: 200, body: { messageId: expect.stringMatching(/^\d+$/) } });
    expect(await seen(chat, chat === '-1004001' ? ann : bob, 1)).toMatchObject([
      {
        text: '',
        media: {
          kind: 'poll',
          ...body,
          votes: [0, 0, 0],
          closed: false,
          multiple: false,
          publicVoters: false,
          quiz: null,
        },
      },
    ]);
  });

  it('[MX1.4] takes several votes of one voter if it says so', async () => {
    const { body } = await send(poll({ multiple: true }));
    await vote((await seen(family, bob, 1))[0]?.id.toString() ?? '', [0, 2]);
    const [message] = await seen(family, ann, 1);
    expect(message).toMatchObject({ id: Number(body['messageId']), media: { multiple: true, votes: [1, 0, 1] } });
  });

  it('[MX1.4] as a quiz has its right option, counted from 0, and an explanation', async () => {
    await send(poll({ quiz: { correct: 2, explanation: 'It is wet.' } }));
    expect(await seen(family, bob, 1)).toMatchObject([{ media: { quiz: { correct: 2, explanation: 'It is wet.' } } }]);
    await send(poll({ quiz: { correct: 0 } }));
    expect(await seen(family, bob, 1)).toMatchObject([{ media: { quiz: { correct: 0, explanation: '' } } }]);
  });

  it.each<[string, object, object, string]>([
    ['to a person', {}, { user: bob }, 'MEDIA_INVALID'],
    [
      'as a quiz of several options',
      { multiple: true, quiz: { correct: 0 } },
      { group: family },
      'QUIZ_MULTIPLE_INVALID',
    ],
    [
      'as a quiz of an option that is not there',
      { quiz: { correct: 3 } },
      { group: family },
      'QUIZ_CORRECT_ANSWER_INVALID',
    ],
    ['with an option that is too long', { options: ['a', 'b'.repeat(101)] }, { group: family }, 'POLL_ANSWER_INVALID'],
  ])('[MX1.4] %s is what Telegram refuses', async (_what, more, receiver, error) => {
    const message = `400: ${error} (caused by messages.SendMedia)`;
    expect(await send(poll(more), receiver)).toMatchObject(refused(500, message));
  });

  it('[MX1.4] goes to a bot', async () => {
    const body = poll();
    expect(await send(body, { user: '1004' })).toMatchObject({ status: 200 });
    expect(await seen('1004', ann, 1)).toMatchObject([{ media: { kind: 'poll', question: body.question } }]);
  });

  it.each<[object, string]>([
    [{}, 'poll should not be empty'],
    [{ poll: {} }, 'poll.question should not be empty\npoll.options should not be empty'],
    [{ poll: { question: 'Q', options: ['a'] } }, 'poll.options must have between 2 and 12 entries'],
    [{ poll: { question: 'Q', options: ['a', ''] } }, 'poll.options.1 should not be empty'],
    [{ poll: { question: 'Q', options: ['a', 'b'], multiple: 'yes' } }, 'poll.multiple must be a boolean'],
    [{ poll: { question: 'Q', options: ['a', 'b'], quiz: {} } }, 'poll.quiz.correct should not be empty'],
    [
      { poll: { question: 'Q', options: ['a', 'b'], quiz: { correct: -1 } } },
      'poll.quiz.correct must be between 0 and 11',
    ],
    [{ poll: { question: 'Q', options: ['a', 'b'], quiz: { correct: 0.5 } } }, 'poll.quiz.correct must be an integer'],
  ])('[MX1.4] %j is refused', async (body, message) => {
    expect(await writing.send({ group: family, type: 'poll', ...body })).toMatchObject(refused(400, message));
  });

  it.each([true, false])(
    '[MX1.4] under a key is one, after a lost answer and a restart (named by Telegram: %s)',
    async (isNamed) => {
      const body = { group: family, type: 'poll', poll: poll() };
      await fault({ method: 'messages.sendMedia', dropAnswer: true });
      const before = await calls('messages.sendMedia');
      void post(`poll ${isNamed}`, body).catch(() => undefined);
      await arrivals('messages.sendMedia', before);
      await restart();
      await writing.scene.sandbox.call('DELETE', '/faults');
      if (!isNamed) {
        await fault({ method: 'updates.getDifference', error: 'PERSISTENT_TIMESTAMP_INVALID', times: 99 });
        await fault({ method: 'messages.sendMedia', error: 'RANDOM_ID_DUPLICATE', code: 500 });
      }
      const again = await writing.scene.whilePassing(post(`poll ${isNamed}`, body));
      expect(again.status).toBe(200);
      const found = (await seen(family)).filter(({ media }) => media?.['question'] === body.poll.question);
      expect(found.map(({ id }) => String(id))).toEqual([again.body['messageId']]);
    },
  );
});

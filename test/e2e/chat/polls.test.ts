import { beforeEach, describe, expect, it } from 'vitest';
import type { ReadMessage } from '../../../src/chats/chat-messages.ts';
import { useActing } from '../../support/e2e/acting.ts';
import { ann, bob } from '../../support/e2e/scene.ts';

/** Polls and quizzes in the messages of a chat, with what became of them. */

const acting = useActing();
const { control, request, write } = acting;

const makers = '-1003001';
const cara = '1003';
let messageId: string;
beforeEach(async () => {
  const media = { kind: 'poll', question: 'When?', options: ['At 8', 'At 9'] };
  messageId = String(await write(bob, makers, { media }));
});
/** What a client that makes the poll would have set. */
const makeIt = (of: { correct?: number[]; solution?: string; multipleChoice?: true; closed?: true }): void => {
  const { polls } = acting.scene.telegram.world.tables;
  const poll = [...polls.values()].at(-1);
  if (poll !== undefined) polls.put({ ...poll, ...of });
};
const read = async (): Promise<ReadMessage> =>
  (await request<ReadMessage>('GET', `/chat/message/${messageId}?chatId=${makers}`)).body;
const voteOf = (account: string, answers: number[]): Promise<unknown> =>
  control('PUT', `/accounts/${account}/messages/${makers}/${messageId}/vote`, { answers });
const option = (text: string, votes: number | null, is: { chosen?: true; correct?: true } = {}): object => ({
  text,
  votes,
  chosen: false,
  correct: false,
  ...is,
});

describe('a poll in GET /chat/message', () => {
  it('[CT2.7] has its votes as soon as the account has voted', async () => {
    await voteOf(cara, [0]);
    const open = { id: expect.stringMatching(/^\d+$/), question: 'When?', multiple: false, quiz: false, closed: false };
    const unvoted = { ...open, total: 1, options: [option('At 8', null), option('At 9', null)], explanation: '' };
    expect(await read()).toMatchObject({ type: 'poll', polling: { name: 'When?', options: ['At 8', 'At 9'] } });
    expect((await read()).poll).toEqual(unvoted);
    await voteOf(ann, [1]);
    const options = [option('At 8', 1), option('At 9', 1, { chosen: true })];
    expect((await read()).poll).toEqual({ ...unvoted, total: 2, options });
    const { body } = await request<{ docs: ReadMessage[] }>('GET', `/chat/message?chatId=${makers}&limit=1`);
    expect(body.docs[0]?.poll).toEqual((await read()).poll);
  });

  it('[CT2.7] that is a quiz has the right answer, and why', async () => {
    makeIt({ correct: [0], solution: 'The train leaves at 8:15.' });
    expect((await read()).poll).toMatchObject({ quiz: true, options: [option('At 8', null), option('At 9', null)] });
    await voteOf(ann, [1]);
    expect((await read()).poll).toMatchObject({
      options: [option('At 8', 0, { correct: true }), option('At 9', 1, { chosen: true })],
      explanation: 'The train leaves at 8:15.',
    });
  });

  it('[CT2.7] that is closed tells its votes without one of the account', async () => {
    await voteOf(cara, [0]);
    makeIt({ closed: true, multipleChoice: true });
    expect((await read()).poll).toMatchObject({
      closed: true,
      multiple: true,
      options: [option('At 8', 1), option('At 9', 0)],
    });
  });

  it('[CH3.1] stays as it is among the messages of a channel', async () => {
    const media = { kind: 'poll', question: 'Tea?', options: ['Green', 'Black'] };
    await control('POST', `/accounts/${ann}/messages`, { peer: '-1004001', media });
    const { body } = await request<{ docs: object[] }>('GET', '/channel/message?channelId=-1004001');
    expect(Object.keys(body.docs[0] ?? {}).toSorted()).toEqual(
      ['created', 'id', 'polling', 'serverId', 'text', 'type', 'url'].toSorted(),
    );
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { useActing } from '../../../support/e2e/acting.ts';
import { ann, bob } from '../../../support/e2e/scene.ts';
import { refused } from '../../../support/e2e/writing-scene.ts';

/** `POST /message/vote`: polls and quizzes of a group, as its other members see them. */

const acting = useActing();
const { arrivals, calls, control, fault, keyed, newest, request, write } = acting;

const method = 'messages.sendVote';
const makers = '-1003001';
let messageId: string;
beforeEach(async () => {
  const media = { kind: 'poll', question: 'When?', options: ['At 8', 'At 9', 'Never'] };
  messageId = String(await write(bob, makers, { media }));
});
/** What a client that makes the poll would have set. */
const makeIt = (of: { correct?: number[]; multipleChoice?: true; closed?: true }): void => {
  const { polls } = acting.scene.telegram.world.tables;
  const poll = [...polls.values()].at(-1);
  if (poll !== undefined) polls.put({ ...poll, ...of });
};
const bodyOf = (options: number[]): object => ({ group: makers, messageId, options });
const vote = (...options: number[]): Promise<unknown> => request('POST', '/message/vote', bodyOf(options));
/** As Bob sees it. */
const votes = async (): Promise<unknown> => (await newest(makers, bob)).media?.['votes'];
const done = { status: 200, body: { id: expect.any(String) } };
const because = (error: string): object => refused(500, `400: ${error} (caused by messages.SendVote)`);

describe('POST /message/vote', () => {
  it('[MX4.3] in a poll: one answer, another one, none', async () => {
    for (const [options, counts] of [
      [[1], [0, 1, 0]],
      [[2], [0, 0, 1]],
      [[2], [0, 0, 1]],
      [[], [0, 0, 0]],
    ] as const) {
      expect(await vote(...options)).toMatchObject(done);
      expect(await votes()).toEqual(counts);
    }
  });

  it('[MX4.3] several answers, where the poll takes them', async () => {
    expect(await vote(0, 2)).toMatchObject(because('OPTIONS_TOO_MUCH'));
    makeIt({ multipleChoice: true });
    expect(await vote(0, 2)).toMatchObject(done);
    expect(await votes()).toEqual([1, 0, 1]);
  });

  it('[MX4.3] in a quiz, where a vote is final', async () => {
    makeIt({ correct: [1] });
    expect(await vote(0)).toMatchObject(done);
    expect(await vote(1)).toMatchObject(because('REVOTE_NOT_ALLOWED'));
    expect(await votes()).toEqual([1, 0, 0]);
  });

  it('[MX4.3] not in a closed one', async () => {
    makeIt({ closed: true });
    expect(await vote(0)).toMatchObject(because('MESSAGE_POLL_CLOSED'));
  });

  it('[MX4.3] not for what is no answer, in what is no poll', async () => {
    expect(await vote(0, 3)).toMatchObject(refused(400, 'options.1 must be between 0 and 2'));
    const plain = String(await write(bob, makers, { text: 'no poll' }));
    const ask = (fields: object): Promise<unknown> =>
      request('POST', '/message/vote', { group: makers, messageId: plain, options: [0], ...fields });
    expect(await ask({})).toMatchObject(refused(400, 'message is not a poll'));
    expect(await ask({ messageId: '2000000000' })).toMatchObject(refused(400, 'message not found'));
    expect(await ask({ options: undefined })).toMatchObject(refused(400, 'options should not be empty'));
    expect(await ask({ options: ['0', 1.5] })).toMatchObject(
      refused(400, 'options.0 must be a number\noptions.1 must be an integer'),
    );
    expect(await ask({ group: undefined, user: '42777' })).toMatchObject(refused(400, 'chat not found'));
  });
});

describe('a vote in a quiz', () => {
  beforeEach(() => makeIt({ correct: [1] }));

  it('[MX4.4] whose answer is lost is made, and no error', async () => {
    await fault({ method, dropAnswer: true, times: 1 });
    expect(await acting.scene.whilePassing(vote(2))).toMatchObject(done);
    expect(await votes()).toEqual([0, 0, 1]);
  });

  it('[MX4.4] under a key is made once, over a crash', async () => {
    await fault({ method, dropAnswer: true });
    const before = await calls(method);
    const keyedVote = (options: number[]): ReturnType<typeof keyed> =>
      keyed(`vote ${messageId}`, 'POST', '/message/vote', bodyOf(options));
    const lost = keyedVote([2]).catch(() => undefined);
    await arrivals(method, before);
    await acting.scene.restart();
    await lost;
    await control('DELETE', '/faults');
    await acting.scene.whilePassing(acting.scene.read(acting.caller, (session) => session.isConnected));
    for (let time = 0; time < 2; time++) expect(await keyedVote([2])).toMatchObject(done);
    expect(await votes()).toEqual([0, 0, 1]);
    expect(await keyedVote([1])).toMatchObject(refused(400, 'idempotency key was used with another body'));
  });

  it('[MX4.4] for another answer stays an error, under a key too', async () => {
    await control('PUT', `/accounts/${ann}/messages/${makers}/${messageId}/vote`, { answers: [0] });
    const keyedVote = (): Promise<unknown> => keyed(`late ${messageId}`, 'POST', '/message/vote', bodyOf([2]));
    for (let time = 0; time < 2; time++) expect(await keyedVote()).toMatchObject(because('REVOTE_NOT_ALLOWED'));
  });
});

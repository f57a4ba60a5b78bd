import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthKey, TlObject } from '../../../../sandbox/rpc.ts';
import {
  annId,
  caraId,
  dailyId,
  type MessageScene,
  makersId,
  openMessageScene,
  refusedWith,
} from '../../../support/sandbox/message-scene.ts';

let scene: MessageScene;
beforeEach(async () => {
  scene = await openMessageScene();
});

const text = (words: string): TlObject => ({ _: 'textWithEntities', text: words, entities: [] });
const option = (index: number) => Buffer.from(String(index));
const pollOf = (fields: Record<string, unknown> = {}, more: Record<string, unknown> = {}): TlObject => ({
  _: 'inputMediaPoll',
  poll: {
    _: 'poll',
    id: 0n,
    question: text('Tea?'),
    answers: ['Yes', 'No', 'Coffee'].map((answer, index) => ({
      _: 'pollAnswer',
      text: text(answer),
      option: option(index),
    })),
    ...fields,
  },
  ...more,
});
const quiz = { quiz: true };
const sendPoll = async (media = pollOf(), peer = scene.channel(scene.ann, makersId)): Promise<number> => {
  const random_id = scene.nextRandomId();
  const { updates } = await scene.call(scene.ann, 'messages.sendMedia', { peer, media, message: '', random_id });
  return updates[0].id;
};
const vote = (key: AuthKey, msg_id: number, indexes: number[]) =>
  scene.call(key, 'messages.sendVote', { peer: scene.channel(key, makersId), msg_id, options: indexes.map(option) });
const resultsOf = ({ updates }: TlObject): TlObject => updates[0].results;
const counts = (results: TlObject) => results['results']?.map(({ voters }: TlObject) => voters);

describe('polls', () => {
  it('[SM5.1] are voted in: everyone sees how many, and the counts who has voted', async () => {
    const id = await sendPoll();
    scene.pushed.length = 0;
    const answer = await vote(scene.cara, id, [1]);
    expect(counts(resultsOf(answer))).toEqual([0, 1, 0]);
    const [pushed] = scene.pushedTo(scene.ann);
    expect(pushed).toMatchObject({ _: 'updateMessagePoll', results: { total_voters: 1, results: undefined } });
    expect(counts(resultsOf(await vote(scene.ann, id, [1])))).toEqual([0, 2, 0]);
    const [message] = await scene.history(scene.cara, scene.channel(scene.cara, makersId), 1);
    expect(message?.['media'].results.results[1]).toMatchObject({ chosen: true, voters: 2 });
  });

  it('[SM5.1] are updated for devices that were away', async () => {
    const id = await sendPoll();
    const state = await scene.state(scene.ann);
    await vote(scene.cara, id, [0]);
    const { other_updates } = await scene.missed(scene.ann, state);
    const polls = other_updates.filter(({ _: name }: TlObject) => name === 'updateMessagePoll');
    expect(polls).toMatchObject([{ results: { total_voters: 1 } }]);
  });

  it('[SM5.1] take a vote back, and another one instead', async () => {
    const id = await sendPoll();
    await vote(scene.cara, id, [0]);
    expect(counts(resultsOf(await vote(scene.cara, id, [2])))).toEqual([0, 0, 1]);
    expect(resultsOf(await vote(scene.cara, id, []))).toMatchObject({ total_voters: 0, results: undefined });
    const several = await sendPoll(pollOf({ multiple_choice: true }));
    expect(counts(resultsOf(await vote(scene.cara, several, [0, 2])))).toEqual([1, 0, 1]);
  });

  it('[SM5.2] show the right answer of a quiz and its explanation after the vote, which is final', async () => {
    const id = await sendPoll(pollOf(quiz, { correct_answers: [option(2)], solution: 'Always.' }));
    const before = (await scene.history(scene.cara, scene.channel(scene.cara, makersId), 1))[0]?.['media'];
    expect(before.poll.quiz).toBe(true);
    expect(before.results).toMatchObject({ results: undefined, solution: undefined });
    const results = resultsOf(await vote(scene.cara, id, [0]));
    expect(results).toMatchObject({ solution: 'Always.' });
    expect(results['results'].map(({ correct }: TlObject) => correct)).toEqual([false, false, true]);
    await expect(vote(scene.cara, id, [2])).rejects.toMatchObject(refusedWith('REVOTE_NOT_ALLOWED'));
  });

  it('[SM5.2] are made by newer layers with places instead of options', async () => {
    const answers = ['One', 'Two'].map((answer) => ({ _: 'inputPollAnswer', text: text(answer) }));
    await sendPoll(pollOf({ ...quiz, answers }, { correct_answers: [1] }));
    const [message] = await scene.history(scene.ann, scene.channel(scene.ann, makersId), 1);
    expect(message?.['media'].poll.answers.map((answer: TlObject) => answer['option'].toString())).toEqual(['0', '1']);
  });

  it('[SM5.3] are closed by their author, or when their time is over', async () => {
    const id = await sendPoll();
    const peer = scene.channel(scene.ann, makersId);
    const close = (key: AuthKey) =>
      scene.call(key, 'messages.editMessage', {
        peer: scene.channel(key, makersId),
        id,
        media: pollOf({ closed: true }),
      });
    await expect(close(scene.cara)).rejects.toMatchObject(refusedWith('MESSAGE_AUTHOR_REQUIRED', 403));
    scene.pushed.length = 0;
    expect((await close(scene.ann))['updates'][0].poll.closed).toBe(true);
    expect(scene.pushedTo(scene.cara)).toMatchObject([{ _: 'updateMessagePoll', poll: { closed: true } }]);
    await expect(vote(scene.cara, id, [0])).rejects.toMatchObject(refusedWith('MESSAGE_POLL_CLOSED'));
    const timed = await sendPoll(pollOf({ close_period: 60 }));
    scene.pushed.length = 0;
    scene.clock.time += 60_000;
    const { updates } = await scene.call(scene.ann, 'messages.getPollResults', { peer, msg_id: timed });
    expect(updates[0].poll.closed).toBe(true);
    expect(scene.pushedTo(scene.cara)).toMatchObject([{ _: 'updateMessagePoll', poll: { closed: true } }]);
  });

  it('[SM5.3] list who has voted for what, if the voters are public', async () => {
    const id = await sendPoll(pollOf({ public_voters: true }));
    const ask = (key: AuthKey, more: object = {}, of = id) =>
      scene.call(key, 'messages.getPollVotes', { peer: scene.channel(key, makersId), id: of, limit: 10, ...more });
    await expect(ask(scene.ann)).rejects.toMatchObject(refusedWith('POLL_VOTE_REQUIRED', 403));
    await vote(scene.ann, id, [0]);
    await vote(scene.cara, id, [1]);
    expect(await ask(scene.ann)).toMatchObject({ count: 2 });
    expect(await ask(scene.ann, { option: option(1) })).toMatchObject({
      count: 1,
      votes: [{ peer: { user_id: BigInt(caraId) } }],
    });
    const anonymous = await sendPoll();
    await expect(ask(scene.ann, {}, anonymous)).rejects.toMatchObject(refusedWith('BROADCAST_FORBIDDEN', 403));
  });

  it('[SM5.4] are refused as Telegram refuses them', async () => {
    const answer = (words: string, place: number) => ({ _: 'pollAnswer', text: text(words), option: option(place) });
    const bad: [string, TlObject, TlObject?][] = [
      ['POLL_QUESTION_INVALID', pollOf({ question: text(' ') })],
      ['POLL_ANSWERS_INVALID', pollOf({ answers: [answer('One', 1)] })],
      ['POLL_ANSWER_INVALID', pollOf({ answers: [answer('One', 1), answer('x'.repeat(101), 2)] })],
      ['POLL_OPTION_DUPLICATE', pollOf({ answers: [answer('One', 1), answer('Two', 1)] })],
      ['QUIZ_CORRECT_ANSWERS_EMPTY', pollOf(quiz)],
      ['QUIZ_CORRECT_ANSWERS_TOO_MUCH', pollOf(quiz, { correct_answers: [option(0), option(1)] })],
      ['QUIZ_CORRECT_ANSWER_INVALID', pollOf(quiz, { correct_answers: [option(9)] })],
      ['QUIZ_MULTIPLE_INVALID', pollOf({ ...quiz, multiple_choice: true }, { correct_answers: [option(0)] })],
      ['MEDIA_INVALID', pollOf(), scene.user(scene.ann, caraId)],
      ['BROADCAST_PUBLIC_VOTERS_FORBIDDEN', pollOf({ public_voters: true }), scene.channel(scene.ann, dailyId)],
    ];
    for (const [error, media, peer] of bad) {
      await expect(sendPoll(media, peer)).rejects.toMatchObject(refusedWith(error));
    }
    const id = await sendPoll();
    await expect(vote(scene.cara, id, [7])).rejects.toMatchObject(refusedWith('OPTION_INVALID'));
    await expect(vote(scene.cara, id, [0, 1])).rejects.toMatchObject(refusedWith('OPTIONS_TOO_MUCH'));
    await expect(vote(scene.cara, 5, [0])).rejects.toMatchObject(refusedWith('MESSAGE_ID_INVALID'));
    expect(scene.world.tables.users.get(annId)).toBeDefined();
  });

  it('[SM5.4] of the seeded world can be voted in, and keep one count where they are forwarded to', async () => {
    const posts = await scene.history(scene.ann, scene.channel(scene.ann, dailyId), 40);
    const poll = posts.find(({ media }) => media?._ === 'messageMediaPoll') as TlObject;
    await scene.call(scene.ann, 'messages.forwardMessages', {
      from_peer: scene.channel(scene.ann, dailyId),
      id: [poll['id']],
      to_peer: scene.channel(scene.ann, makersId),
      random_id: [scene.nextRandomId()],
    });
    const [copy] = await scene.history(scene.ann, scene.channel(scene.ann, makersId), 1);
    await vote(scene.ann, copy?.['id'], [0]);
    const { updates } = await scene.call(scene.ann, 'messages.getPollResults', {
      peer: scene.channel(scene.ann, dailyId),
      msg_id: poll['id'],
    });
    expect(updates[0].results.total_voters).toBe(1);
  });
});

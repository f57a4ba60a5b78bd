import { Api } from 'telegram/tl/index.js';
import type { MessageMedia, PollState } from '../../port/chat-message.ts';

/** A poll or quiz as the account sees it: votes and right answers once Telegram tells it of them. */
export function pollMedia({ poll, results }: Api.MessageMediaPoll): MessageMedia & { kind: 'poll' } {
  const { question, answers } = poll;
  return {
    kind: 'poll',
    question: question.text,
    options: answers.map(({ text }) => text.text),
    state: pollState(poll, results),
  };
}

function pollState({ id, answers, multipleChoice, quiz, closed }: Api.Poll, results: Api.PollResults): PollState {
  const counts = new Map((results.results ?? []).map((count) => [count.option.toString('hex'), count]));
  return {
    id: id.toString(),
    isMultiple: multipleChoice === true,
    isQuiz: quiz === true,
    isClosed: closed === true,
    total: results.totalVoters ?? 0,
    options: answers.map(({ option }) => {
      const count = counts.get(option.toString('hex'));
      return {
        ...(count !== undefined && { votes: count.voters }),
        isChosen: count?.chosen === true,
        isCorrect: count?.correct === true,
      };
    }),
    explanation: results.solution ?? '',
  };
}

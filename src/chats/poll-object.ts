import type { Static, TObject } from 'typebox';
import type { MessageMedia, PollState } from '../telegram/port/chat-message.ts';
import type { contentFields } from './message-schema.ts';

type PollObject = NonNullable<Static<TObject<typeof contentFields>>['poll']>;

/** A poll with what became of it, as the account sees it. */
export function pollObject(
  { question, options }: MessageMedia & { kind: 'poll' },
  { id, isMultiple, isQuiz, isClosed, total, options: states, explanation }: PollState,
): PollObject {
  return {
    id,
    question,
    options: options.map((text, place) => {
      const { votes, isChosen = false, isCorrect = false } = states[place] ?? {};
      return { text, votes: votes ?? null, chosen: isChosen, correct: isCorrect };
    }),
    total,
    multiple: isMultiple,
    quiz: isQuiz,
    closed: isClosed,
    explanation,
  };
}

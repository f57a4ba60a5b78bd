import { RpcError, type TlObject } from '../../rpc.ts';
import { addPoll } from '../../world/polls/polls.ts';
import type { MediaRow } from '../../world/state/file-rows.ts';
import type { PollRow } from '../../world/state/poll-rows.ts';
import type { Caller } from '../method.ts';

/** https://core.telegram.org/api/poll, in UTF-16 code units; `poll_answers_max` of the client configuration. */
const maxQuestionLength = 255;
const maxAnswerLength = 100;
const minAnswers = 2;
const maxAnswers = 12;
const maxOptionBytes = 100;
const maxSolutionLength = 200;

/**
 * Reads an `inputMediaPoll`, and stores the poll.
 * @throws {RpcError} 400 POLL_QUESTION_INVALID, POLL_ANSWERS_INVALID, POLL_ANSWER_INVALID, POLL_OPTION_INVALID,
 * POLL_OPTION_DUPLICATE, QUIZ_MULTIPLE_INVALID, QUIZ_CORRECT_ANSWERS_EMPTY, QUIZ_CORRECT_ANSWERS_TOO_MUCH,
 * QUIZ_CORRECT_ANSWER_INVALID, MEDIA_CAPTION_TOO_LONG
 */
export function inputPoll({ world, me }: Caller, media: TlObject): MediaRow {
  const poll = media['poll'] as TlObject;
  const question = poll['question'] as TlObject;
  requireLength(question, maxQuestionLength, 'POLL_QUESTION_INVALID');
  const answers = pollAnswers(poll['answers'] as TlObject[]);
  const row: Omit<PollRow, 'id' | 'votes' | 'twins'> = { author: me.id, question, answers };
  if (poll['public_voters']) row.publicVoters = true;
  if (poll['multiple_choice']) row.multipleChoice = true;
  if (poll['quiz']) Object.assign(row, quizFields(poll, media, answers));
  if (poll['close_period']) row.closePeriod = poll['close_period'] as number;
  const closeDate = row.closePeriod ? world.now() + row.closePeriod : (poll['close_date'] as number | undefined);
  if (closeDate) row.closeDate = closeDate;
  if (poll['closed']) row.closed = true;
  return { kind: 'poll', poll: addPoll(world, row).id };
}

function requireLength(text: TlObject, max: number, error: string): void {
  const length = (text['text'] as string).trim().length;
  if (length === 0 || length > max) throw new RpcError(400, error);
}

/** Newer layers leave the options to Telegram. */
function pollAnswers(inputs: readonly TlObject[]): PollRow['answers'] {
  if (inputs.length < minAnswers || inputs.length > maxAnswers) throw new RpcError(400, 'POLL_ANSWERS_INVALID');
  const answers = inputs.map((input, index) => {
    const text = input['text'] as TlObject;
    requireLength(text, maxAnswerLength, 'POLL_ANSWER_INVALID');
    const option = (input['option'] as Buffer | undefined) ?? Buffer.from(String(index));
    if (option.length === 0 || option.length > maxOptionBytes) throw new RpcError(400, 'POLL_OPTION_INVALID');
    return { text, option };
  });
  const unique = new Set(answers.map(({ option }) => option.toString('hex')));
  if (unique.size < answers.length) throw new RpcError(400, 'POLL_OPTION_DUPLICATE');
  return answers;
}

/** Older layers name the right answers by their options, newer ones by their places. */
function quizFields(poll: TlObject, media: TlObject, answers: PollRow['answers']): Partial<PollRow> {
  if (poll['multiple_choice']) throw new RpcError(400, 'QUIZ_MULTIPLE_INVALID');
  const named = (media['correct_answers'] ?? []) as (Buffer | number)[];
  if (named.length === 0) throw new RpcError(400, 'QUIZ_CORRECT_ANSWERS_EMPTY');
  if (named.length > 1) throw new RpcError(400, 'QUIZ_CORRECT_ANSWERS_TOO_MUCH');
  const correct = named.map((each) =>
    typeof each === 'number' ? each : answers.findIndex(({ option }) => option.equals(each)),
  );
  if (correct.some((index) => answers[index] === undefined)) throw new RpcError(400, 'QUIZ_CORRECT_ANSWER_INVALID');
  const solution = media['solution'] as string | undefined;
  if (solution && solution.length > maxSolutionLength) throw new RpcError(400, 'MEDIA_CAPTION_TOO_LONG');
  const solutionEntities = media['solution_entities'] as TlObject[] | undefined;
  return { correct, ...(solution ? { solution, solutionEntities: solutionEntities ?? [] } : {}) };
}

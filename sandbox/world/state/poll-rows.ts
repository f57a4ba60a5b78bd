import type { TlObject } from '../../rpc.ts';
import type { MessageRow } from './message-rows.ts';

export interface PollRow {
  /** Decimal. */
  id: string;
  author: number;
  /** TL `TextWithEntities`. */
  question: TlObject;
  answers: { text: TlObject; option: Buffer }[];
  publicVoters?: boolean;
  multipleChoice?: boolean;
  /** The index of each right answer of a quiz. */
  correct?: number[];
  solution?: string;
  solutionEntities?: TlObject[];
  /** Seconds for which it is open. */
  closePeriod?: number;
  closeDate?: number;
  closed?: boolean;
  /** By user ID: the indexes of the chosen answers. */
  votes: Record<string, { answers: number[]; date: number }>;
  /** The messages that show it: see `MessageRow.twin`. */
  twins: string[];
}

/** A message in its sender's queue. Its date is when it leaves; its ID is one of the queue. */
export interface ScheduledRow {
  owner: number;
  message: MessageRow;
}

import type bigInt from 'big-integer';
import type { Api } from 'telegram/tl/index.js';

/** One call of the comparison. */
export interface ComparisonStep {
  /** What it does, in words. */
  name: string;
  /** `messages.SendMessage` */
  call: string;
  /** Undefined if an earlier step has not found what this one needs. */
  request: (found: Found) => Api.AnyRequest | undefined;
  /** Remembers what later steps need. */
  keep?: (answer: unknown, found: Found) => void;
  /** Removes what earlier steps have made: it is done even if the comparison is broken off. */
  isCleanUp?: boolean;
}

/** What the steps find out, and what they have made. */
export interface Found {
  /** Random numbers of 64 bits: those that begin with the same letter are the same. */
  randomId: (of: string) => bigInt.BigInteger;
  state?: Api.updates.State;
  /** The messages in Saved Messages, the first one first. */
  messages: number[];
  document?: Api.Document;
  group?: Api.InputChannel;
}

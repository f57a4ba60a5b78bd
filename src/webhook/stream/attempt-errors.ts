import type { UnreadableReason } from '../../../actors/ports/event-codec.ts';

const answered = 'it answered with status ';
const notOpened = 'its content cannot be opened';
const notRead = 'its event cannot be read';

/** Why an attempt failed whose response had another status than 2xx. */
export const answeredWith = (status: number): string => `${answered}${status}`;

/** The status of the response, if the error is about one; else 0. */
export const statusIn = (error: string): number =>
  error.startsWith(answered) ? Number(error.slice(answered.length)) : 0;

/** Why a delivery is given up whose event, or what is sealed in it, cannot be read. */
export const unreadableError = (reason: UnreadableReason): string =>
  reason === 'broken-seal' ? notOpened : `${notRead}: ${reason}`;

/** Whether the error is one of {@link unreadableError}: such a delivery was given up without an attempt. */
export const isUnreadableError = (error: string): boolean => error === notOpened || error.startsWith(notRead);

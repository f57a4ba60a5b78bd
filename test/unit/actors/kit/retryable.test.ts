import { expect, it } from 'vitest';
import { isRetryable, retryAfterMsOf } from '../../../../actors/kit/retryable.ts';
import { TimeoutError } from '../../../../actors/kit/timeout.ts';
import { StoreUnavailableError, WrongExpectedRevisionError } from '../../../../actors/ports/event-store.ts';
import { BrokenSealError, KeyDestroyedError } from '../../../../actors/ports/sealer.ts';
import { SessionNotActiveError, SessionNotFoundError } from '../../../../actors/runtime/sessions.ts';
import { NotConnectedError, TelegramError } from '../../../../src/telegram/port/errors.ts';

it.each([
  new StoreUnavailableError(),
  new NotConnectedError(),
  new SessionNotActiveError(),
  new TimeoutError(),
  new TelegramError(500, 'INTERNAL', 'x.Y'),
  new TelegramError(420, 'FLOOD_WAIT_120', 'x.Y'),
])('[WH4.2] %s is retryable', (error) => {
  expect(isRetryable(error)).toBe(true);
});

it.each([
  new WrongExpectedRevisionError('session-a', 1, 2),
  new KeyDestroyedError(),
  new BrokenSealError(),
  new SessionNotFoundError(),
  new TelegramError(403, 'CHAT_WRITE_FORBIDDEN', 'x.Y'),
  new SyntaxError('no JSON'),
  new Error('cannot be told', { cause: new StoreUnavailableError() }),
  undefined,
  'a text',
  { retryable: true },
])('[WH4.4] %s is terminal', (error) => {
  expect(isRetryable(error)).toBe(false);
});

it('[ER3.2] an error says how long to wait, or nothing', () => {
  const asked = [new TelegramError(420, 'FLOOD_WAIT_120', 'x.Y'), new TelegramError(500, 'INTERNAL', 'x.Y'), 'a text'];
  expect(asked.map(retryAfterMsOf)).toEqual([120_000, 0, 0]);
});

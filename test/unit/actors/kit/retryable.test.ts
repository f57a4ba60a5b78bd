import { expect, it } from 'vitest';
import { isRetryable } from '../../../../actors/kit/retryable.ts';
import { StoreUnavailableError, WrongExpectedRevisionError } from '../../../../actors/ports/event-store.ts';
import { BrokenSealError, KeyDestroyedError } from '../../../../actors/ports/sealer.ts';
import { SessionNotActiveError, SessionNotFoundError } from '../../../../actors/ports/sessions.ts';
import { NotConnectedError } from '../../../../src/telegram/port/account.ts';

it.each([new StoreUnavailableError(), new NotConnectedError(), new SessionNotActiveError()])(
  '[WH4] %s is retryable',
  (error) => {
    expect(isRetryable(error)).toBe(true);
  },
);

it.each([
  new WrongExpectedRevisionError('session-a', 1, 2),
  new KeyDestroyedError(),
  new BrokenSealError(),
  new SessionNotFoundError(),
  new SyntaxError('no JSON'),
  new Error('cannot be told', { cause: new StoreUnavailableError() }),
  undefined,
  'a text',
  { retryable: true },
])('[WH4] %s is terminal', (error) => {
  expect(isRetryable(error)).toBe(false);
});

import { expect, it } from 'vitest';
import { GateFullError } from '../../../actors/kit/fair-gate.ts';
import { isRetryable } from '../../../actors/kit/retryable.ts';
import { StoreUnavailableError } from '../../../actors/ports/event-store.ts';
import { KeyDestroyedError } from '../../../actors/ports/sealer.ts';
import { GatewayError, sessionNotConnected, toGatewayError } from '../../../src/errors/gateway-error.ts';
import { TelegramError } from '../../../src/telegram/port/errors.ts';

it.each([429, 503])('[WH4.2] an error with status %d is retryable', (statusCode) => {
  expect(isRetryable(new GatewayError(statusCode, 'later'))).toBe(true);
});

it.each([400, 401, 403, 404, 405, 416, 499, 500, 502, 504])(
  '[WH4.2] an error with status %d is terminal',
  (statusCode) => {
    expect(isRetryable(new GatewayError(statusCode, 'never', 2))).toBe(false);
  },
);

it('[WH4.2] what the caller gets for an error says by its status whether a retry can help', () => {
  const errors = [new StoreUnavailableError(), new KeyDestroyedError(), new TelegramError(403, 'CHAT_ADMIN', 'x.Y')];
  expect(errors.map((error) => isRetryable(toGatewayError(error)))).toEqual([true, false, false]);
  expect(isRetryable(sessionNotConnected())).toBe(false);
});

it.each([
  [true, 429, 'too many pictures of this session are waiting'],
  [false, 503, 'too many pictures are waiting'],
])(
  '[NB1.2] [NB1.3] a full gate, its own share: %j, is %d, with the time to wait',
  (isOwnShare, statusCode, message) => {
    expect(toGatewayError(new GateFullError('pictures', isOwnShare))).toMatchObject({
      statusCode,
      message,
      retryAfterSeconds: 5,
    });
  },
);

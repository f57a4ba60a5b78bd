import { expect, it } from 'vitest';
import { GatewayError } from '../../../src/errors/gateway-error.ts';
import { countSend } from '../../../src/messaging/count-send.ts';
import { SendTimeoutError } from '../../../src/messaging/send-timeout.ts';
import type { Metrics } from '../../../src/metrics/metrics.ts';
import { NotConnectedError, TelegramError } from '../../../src/telegram/port/errors.ts';

const outcomes: [type: string, outcome: string, isDuration: boolean][] = [];
const used: unknown[][] = [];
const deps = {
  metrics: {
    sent: (type: string, outcome: string, seconds: number) =>
      outcomes.push([type, outcome, seconds >= 0 && seconds < 60]),
  } as unknown as Metrics,
  usage: { count: (...of: unknown[]) => void used.push(of) },
};
const send = { sessionId: 's-1', keyId: 'k-1', messages: 3 };

it('[OP5.1] counts a send that succeeded, and returns what it returned', async () => {
  expect(await countSend(deps, { ...send, type: 'image' }, async () => 5)).toBe(5);
  expect(outcomes.splice(0)).toEqual([['image', 'sent', true]]);
  expect(used.splice(0)).toEqual([['s-1', 'k-1', 'sent', 3]]);
});

it.each([
  ['CHAT_WRITE_FORBIDDEN', new TelegramError(403, 'CHAT_WRITE_FORBIDDEN', 'messages.SendMessage')],
  ['timeout', new SendTimeoutError()],
  ['not-connected', new NotConnectedError()],
  ['fault', new TypeError('x')],
  ['client-left', new GatewayError(499, 'left')],
  ['bad-request', new GatewayError(400, 'chat not found')],
  ['bad-media', new GatewayError(500, 'error parser file from url')],
])('[OP5.1] counts a send that failed as %s, and throws the error', async (outcome, error) => {
  await expect(countSend(deps, { ...send, type: 'text' }, () => Promise.reject(error))).rejects.toBe(error);
  expect(outcomes.splice(0)).toEqual([['text', outcome, true]]);
  expect(used.splice(0)).toEqual([['s-1', 'k-1', 'notSent', 3]]);
});

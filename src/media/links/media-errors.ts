import { GatewayError } from '../../errors/gateway-error.ts';
import { TelegramError } from '../../telegram/port/errors.ts';
import { MediaNotFoundError } from '../../telegram/port/files.ts';

/** Seconds after which Telegram may answer again. */
const retrySeconds = 10;

export const mediaNotFound = (): GatewayError => new GatewayError(404, 'media not found');
export const noAnswerInTime = (): GatewayError =>
  new GatewayError(503, 'telegram did not answer the media request in time', retrySeconds);

/** The viewer's error for an error of Telegram; any other error is passed on. */
export function asMediaError(error: unknown): unknown {
  if (error instanceof MediaNotFoundError) return mediaNotFound();
  const waitSeconds = error instanceof TelegramError ? error.waitSeconds : undefined;
  if (waitSeconds === undefined) return error;
  return new GatewayError(503, `telegram asked to wait ${waitSeconds}s`, waitSeconds, { cause: error });
}

/** Milliseconds that Telegram asked to wait, if the viewer's error says so. */
export function askedWaitMs(error: unknown): number | undefined {
  const cause = error instanceof GatewayError ? error.cause : undefined;
  return cause instanceof TelegramError ? cause.retryAfterMs : undefined;
}

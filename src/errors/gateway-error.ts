import { UnreadableEventError } from '../../actors/ports/event-codec.ts';
import { StoreUnavailableError } from '../../actors/ports/event-store.ts';
import { KeyDestroyedError } from '../../actors/ports/sealer.ts';
import { SessionNotActiveError, SessionNotFoundError } from '../../actors/ports/sessions.ts';
import { NotConnectedError, TelegramError } from '../telegram/port/errors.ts';

/** How long a caller is asked to wait before asking again for something that is being started. */
const retrySoonSeconds = 2;

/** What keeps the service from starting, and is for whoever runs it to mend. */
export class StartError extends Error {
  override name = 'StartError';
}

/** What the caller is told, word for word: the interface's own messages. */
export class GatewayError extends Error {
  override name = 'RequestError';
  readonly statusCode: number;
  readonly retryAfterSeconds: number | undefined;

  /** @param cause for whoever looks into it; the caller is not told. */
  constructor(statusCode: number, message: string, retryAfterSeconds?: number, options?: { cause: unknown }) {
    super(message, options);
    this.statusCode = statusCode;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const sessionNotFound = (): GatewayError => new GatewayError(404, 'session not found');
/** Stored, but not yet active here (right after a start). */
export const sessionNotActive = (): GatewayError => new GatewayError(500, 'session not found', retrySoonSeconds);
export const sessionNotConnected = (): GatewayError => new GatewayError(500, 'session not connected');

/** What the caller is told about an error, or undefined where it is a fault of the service itself (ER4). */
export function toGatewayError(error: unknown): GatewayError | undefined {
  if (error instanceof GatewayError) return error;
  if (error instanceof SessionNotFoundError || error instanceof KeyDestroyedError) return sessionNotFound();
  if (error instanceof SessionNotActiveError || error instanceof UnreadableEventError) return sessionNotActive();
  if (error instanceof NotConnectedError) return sessionNotConnected();
  if (error instanceof TelegramError) return new GatewayError(500, error.message, error.waitSeconds);
  if (error instanceof StoreUnavailableError) {
    return new GatewayError(503, 'the event store is not available', retrySoonSeconds);
  }
  return undefined;
}

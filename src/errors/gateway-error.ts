import { GateFullError } from '../../actors/kit/fair-gate.ts';
import { UnreadableEventError } from '../../actors/ports/event-codec.ts';
import { StoreUnavailableError } from '../../actors/ports/event-store.ts';
import { NotOwnerError } from '../../actors/ports/ownership.ts';
import { KeyDestroyedError } from '../../actors/ports/sealer.ts';
import { LoginImpossibleError, ProxyUnusableError } from '../../actors/ports/telegram-session.ts';
import {
  ExternalIdUsedError,
  SessionNotActiveError,
  SessionNotFoundError,
  SessionsStartingError,
} from '../../actors/runtime/sessions.ts';
import { NotConnectedError, TelegramError } from '../telegram/port/errors.ts';

/** Seconds that a caller should wait for something that is starting. */
const retrySoonSeconds = 2;
/** The same for a turn at something that is shared: pictures and videos take seconds each. */
const retryTurnSeconds = 5;

/** A reason why the gateway cannot start, for the operator to correct. */
export class StartError extends Error {
  override name = 'StartError';
}

/** An error for the caller, with the interface's message. */
export class GatewayError extends Error {
  override name = 'RequestError';
  readonly statusCode: number;
  readonly retryAfterSeconds: number | undefined;

  /** @param cause for the log; the caller does not get it */
  constructor(statusCode: number, message: string, retryAfterSeconds?: number, options?: { cause: unknown }) {
    super(message, options);
    this.statusCode = statusCode;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** True for 429 and 503: the same request can succeed later. Not for 500, which may be a terminal answer of Telegram. */
  get retryable(): boolean {
    return this.statusCode === 429 || this.statusCode === 503;
  }
}

/** The caller hung up before the response. */
export const clientLeft = (): GatewayError => new GatewayError(499, 'the client has closed the request');
export const isClientLeft = (error: unknown): boolean => error instanceof GatewayError && error.statusCode === 499;

export const sessionNotFound = (): GatewayError => new GatewayError(404, 'session not found');
/** Stored, but not active here yet, right after a start. */
export const sessionNotActive = (): GatewayError => new GatewayError(500, 'session not found', retrySoonSeconds);
/** KY5: the same whether or not there is such a chat. */
export const chatNotAllowed = (): GatewayError => new GatewayError(403, 'chat is not among those of the key');
/** KY5: what concerns more than the chats of the key. */
export const accountNotAllowed = (): GatewayError => new GatewayError(403, 'a key with chats may not do this');
export const sessionNotConnected = (): GatewayError => new GatewayError(500, 'session not connected');

/** The caller's error for an error; undefined for a fault of the gateway itself (ER4). */
export function toGatewayError(error: unknown): GatewayError | undefined {
  if (error instanceof GatewayError) return error;
  if (error instanceof SessionNotFoundError || error instanceof KeyDestroyedError) return sessionNotFound();
  const isElsewhere = error instanceof SessionNotActiveError || error instanceof NotOwnerError;
  if (isElsewhere || error instanceof UnreadableEventError) return sessionNotActive();
  if (error instanceof NotConnectedError) return sessionNotConnected();
  if (error instanceof TelegramError) return new GatewayError(500, error.message, error.waitSeconds);
  const isCallers = [LoginImpossibleError, ProxyUnusableError, ExternalIdUsedError].some(
    (kind) => error instanceof kind,
  );
  if (isCallers && error instanceof Error) return new GatewayError(400, error.message);
  if (error instanceof StoreUnavailableError) {
    return new GatewayError(503, 'the event store is not available', retrySoonSeconds);
  }
  if (error instanceof SessionsStartingError) return new GatewayError(503, error.message, retrySoonSeconds);
  if (error instanceof GateFullError) {
    return new GatewayError(error.isOwnShare ? 429 : 503, error.message, retryTurnSeconds);
  }
  return undefined;
}

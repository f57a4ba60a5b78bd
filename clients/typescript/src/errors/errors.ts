import type { ErrorCode } from '../generated/types.ts';
import { adviceFor } from './advice.ts';

/** What goes wrong before the gateway says anything, or in the client itself. */
export type ClientErrorCode =
  | 'connection_failed'
  | 'password_required'
  | 'code_required'
  | 'login_expired'
  | 'websocket_missing'
  | 'webhook_not_verified'
  | 'webhook_body_missing';

/** What is known of an error. */
export interface ErrorDetails {
  code: GatewayError['code'];
  /** 0 if there was no response. */
  status: number;
  /** In the words of the gateway. */
  reason: string;
  retryAfter?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/** Every error of this client. `message` says what happened and what to do. */
export class GatewayError extends Error {
  override readonly name: string = 'GatewayError';
  /** The kind of the error: `docs/errors.md`. It stays the same if a message ever changes. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Seconds after which the same call may succeed; undefined if waiting does not help. */
  readonly retryAfter: number | undefined;
  /** What the gateway said, without advice. */
  readonly reason: string;
  /** Names the request in the log of the gateway. */
  readonly requestId: string | undefined;
  /** Call again with this key, within 24 hours, to have it done once at most; undefined if the call takes none. */
  idempotencyKey: string | undefined;

  constructor({ code, status, reason, retryAfter, requestId, cause }: ErrorDetails) {
    const advice = adviceFor(code, retryAfter);
    super(`${reason} (${code})${advice === '' ? '' : `. ${advice}`}`, { cause });
    this.code = code;
    this.status = status;
    this.reason = reason;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }
}

/** The request is wrong: it fails again until it is changed. */
export class InvalidRequestError extends GatewayError {
  override readonly name = 'InvalidRequestError';
}

/** The API key is missing or wrong, or may not do this. */
export class AccessError extends GatewayError {
  override readonly name = 'AccessError';
}

/** There is no such session: wrong `id` or `sessionId`, or it was deleted. */
export class SessionNotFoundError extends GatewayError {
  override readonly name = 'SessionNotFoundError';
}

/** The account is not logged in, or has no connection to Telegram now. */
export class SessionNotConnectedError extends GatewayError {
  override readonly name = 'SessionNotConnectedError';
}

/** Too much: Telegram, the pace of the account or the gateway asks to wait for `retryAfter` seconds. */
export class WaitError extends GatewayError {
  override readonly name = 'WaitError';
}

/** Telegram refused it, in its own words. */
export class TelegramError extends GatewayError {
  override readonly name = 'TelegramError';
}

/** It is not known whether it was done. */
export class OutcomeUnknownError extends GatewayError {
  override readonly name = 'OutcomeUnknownError';
}

/** The gateway, or Telegram behind it, is out of reach now. */
export class UnavailableError extends GatewayError {
  override readonly name: string = 'UnavailableError';
}

/** There was no response: the gateway is not there, or the connection broke. */
export class ConnectionError extends UnavailableError {
  override readonly name = 'ConnectionError';
}

/** A login that cannot go on by itself. */
export class LoginError extends GatewayError {
  override readonly name = 'LoginError';
}

/** A request that comes from no webhook of the gateway, or that was read by something else before. */
export class WebhookError extends GatewayError {
  override readonly name = 'WebhookError';
}

const classes: Readonly<Partial<Record<ErrorCode, typeof GatewayError>>> = {
  session_not_found: SessionNotFoundError,
  session_not_connected: SessionNotConnectedError,
  session_not_active: UnavailableError,
  telegram_wait: WaitError,
  telegram_error: TelegramError,
  login_refused: TelegramError,
  telegram_timeout: OutcomeUnknownError,
  node_lost: OutcomeUnknownError,
  outcome_unknown: OutcomeUnknownError,
  file_not_downloaded: InvalidRequestError,
  file_not_usable: InvalidRequestError,
};

/** The error that a response is. A response of a proxy has no code: its status stands for it. */
export async function errorOfResponse(response: Response): Promise<GatewayError> {
  const { status, headers } = response;
  const text = await response.text();
  const code = headers.get('x-error-code');
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const details: ErrorDetails = {
    code: code ?? `http_${status}`,
    status,
    reason: messageIn(text) ?? (response.statusText || `status ${status}`),
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
  };
  const ErrorClass = classes[code as ErrorCode] ?? classOfStatus(status);
  return new ErrorClass(details);
}

function classOfStatus(status: number): typeof GatewayError {
  if (status === 401 || status === 403) return AccessError;
  if (status === 429) return WaitError;
  if (status < 500) return InvalidRequestError;
  return status === 500 ? GatewayError : UnavailableError;
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { message?: string }).message;
  } catch {
    return undefined;
  }
}

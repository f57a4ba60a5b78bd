import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Json } from '../../../actors/ports/event-store.ts';

/** The messages that a method sends. */
export interface SentByMethod {
  messages: number;
  /** Where to; undefined if that is no chat that could be new. */
  chat?: { id: string; isNew: (signal: LightAbortSignal) => Promise<boolean> };
}

/** A method with its parameters, checked, which can be sent. */
export interface PreparedMethod {
  /** Undefined if it sends none. */
  sent: SentByMethod | undefined;
  /** The answer in the form of its parameters. @throws {TelegramError} {@link NotConnectedError} */
  send(signal: LightAbortSignal): Promise<Json>;
}

/**
 * Any method of the layer. Names are those of the published schema, `_` names the constructor of an object, bytes are
 * base64, 64-bit integers are texts.
 */
export interface RawMethods {
  /**
   * Reads the parameters. A text that is a chat ID stands for an input peer, user or channel, and is looked up.
   * @throws {UnknownMethodError} {@link RefusedMethodError} {@link WrongParametersError}
   * @throws {TelegramError} {@link NotConnectedError} of a look-up
   */
  prepare(method: string, params: unknown, signal: LightAbortSignal): Promise<PreparedMethod>;
}

/** The layer has no such method. */
export class UnknownMethodError extends Error {
  override name = 'UnknownMethodError';
}

/** The method could end the login, take it over, pay, or bypass the gateway. */
export class RefusedMethodError extends Error {
  override name = 'RefusedMethodError';
}

/** Parameters that do not fit the schema. */
export class WrongParametersError extends Error {
  override name = 'WrongParametersError';
  /** One for each failure: `params.media.file.parts must be an integer`. */
  readonly failures: readonly string[];

  constructor(failures: readonly string[]) {
    super(failures.join('\n'));
    this.failures = failures;
  }
}

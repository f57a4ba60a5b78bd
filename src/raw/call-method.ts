import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import { withTimeout } from '../../actors/kit/timeout.ts';
import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { Json } from '../../actors/ports/event-store.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { type AccountPace, inTurn } from '../messaging/pace/in-turn.ts';
import { newRandomId } from '../messaging/random-id.ts';
import type { TelegramAccount } from '../telegram/port/account.ts';
import type { BeginSend } from '../telegram/port/outgoing.ts';
import { RefusedMethodError, UnknownMethodError, WrongParametersError } from '../telegram/port/raw.ts';

/** A caller's call of any method of Telegram. */
export interface MethodCall {
  /** `messages.getHistory` */
  method: string;
  params: unknown;
}

export interface CallMethodDeps {
  account: TelegramAccount;
  clock: Clock;
  randomness: Pick<Randomness, 'bytes'>;
  /** Records the call before it is made. */
  record: (method: string) => Promise<void>;
  /** Called with the number of messages that the call makes, before they are sent, and when it is known whether they were. */
  sends: { take: (messages: number) => Promise<void>; count: (messages: number, areSent: boolean) => void };
  /** Undefined: it never waits for a turn. */
  pace?: AccountPace | undefined;
  /** The caller hung up: ends the wait for a turn. */
  left?: LightAbortSignal | undefined;
}

/** The same limit as that of a send. */
const maxResponseMs = 240_000;
/** As in every list of errors (ER1.1). */
const maxFailures = 20;

/**
 * Calls a method and returns Telegram's answer (RM1).
 * @throws {GatewayError} 400, 404, 429, 500 when the time is over. {@link TelegramError} {@link NotConnectedError}
 */
export function callMethod(
  { account, clock, randomness, record, sends, pace, left }: CallMethodDeps,
  { method, params }: MethodCall,
): Promise<Json> {
  const late = (): GatewayError => new GatewayError(500, 'telegram did not answer in time');
  return withTimeout(clock, maxResponseMs, late, async (signal, pause) => {
    const prepared = await account.raw.prepare(method, params, signal).catch(refuse);
    const { sent } = prepared;
    const begin: BeginSend = async () => {
      if (sent !== undefined) await sends.take(sent.messages);
      await record(method);
      // Its message is never looked for.
      return { randomId: newRandomId(randomness), begunAt: 0 };
    };
    const send = async (beginInTurn: BeginSend): Promise<Json> => {
      await beginInTurn();
      return prepared.send(signal);
    };
    if (sent === undefined) return send(begin);
    const { messages, chat } = sent;
    const answer = inTurn(pace, { messages, chat, begin, begun: undefined }, { signal, pause, left }, send);
    return answer.then(
      (made) => (sends.count(messages, true), made),
      (error: unknown) => {
        sends.count(messages, false);
        throw error;
      },
    );
  });
}

/** @throws {GatewayError} for what the gateway itself refuses; else the error */
function refuse(error: unknown): never {
  if (error instanceof UnknownMethodError) throw new GatewayError(404, 'method not found');
  if (error instanceof RefusedMethodError) throw new GatewayError(400, error.message);
  if (error instanceof WrongParametersError)
    throw new GatewayError(400, error.failures.slice(0, maxFailures).join('\n'));
  throw error;
}

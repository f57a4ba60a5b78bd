import type { Api } from 'telegram/tl/index.js';
import { LightAbort, type LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { withTimeout } from '../../../../actors/kit/timeout.ts';
import { RateGate } from '../../connection/rate-gate.ts';
import { reconnect } from '../../connection/reconnect-policy.ts';
import type { OnWait } from '../../connection/retry-after.ts';
import { NotConnectedError, TelegramError } from '../../port/errors.ts';
import type { KeyDoubt } from '../connection/key-doubt.ts';
import { movedTo } from '../connection/move-login.ts';
import { type MtprotoConnection, openMtprotoConnection } from '../connection/mtproto-connection.ts';
import { NoAnswerError, retryRpc } from '../connection/retry-rpc.ts';
import type { GramSessionDeps } from '../connection/session-deps.ts';

const answerMs = 15_000;
const noAnswer = (): Error => new NoAnswerError();
/** A caller waits for the answer: without one for this long, Telegram is out of reach. */
const patienceMs = 30_000;
const maxMoves = 3;

/** Where a login is being made: Telegram binds its steps to the key. */
export interface LoginPlace {
  dc: number;
  /** By data centre, 256 bytes each. */
  keys: Map<number, Buffer>;
}

/** The surroundings of one step of a login. */
export interface LoginCallDeps extends GramSessionDeps {
  onWait: OnWait;
  onUpdate: (update: Api.TypeUpdates) => void;
  /** Decides whether Telegram has forgotten a key that is given. Default: that is never believed. */
  doubt?: KeyDoubt;
}

/** An answer, or that Telegram wants the account's two-step password now, and the connection that got it. */
export interface LoginAnswer<T> {
  answer: T | 'password';
  connection: MtprotoConnection;
}

/**
 * Sends one request of a login on a connection of its own, in the data centre that Telegram wants.
 * @param place is changed: a new key, another data centre
 * @throws {TelegramError} {@link NotConnectedError} {@link LoginLostError} the signal's reason; then no connection is left
 * open
 */
export async function callForLogin<R extends Api.AnyRequest>(
  deps: LoginCallDeps,
  place: LoginPlace,
  request: R,
  signal: LightAbortSignal,
): Promise<LoginAnswer<R['__response']>> {
  const { clock, random, onWait, doubt } = deps;
  let unansweredSince = clock.elapsed();
  let moves = 0;
  const send = async (): Promise<LoginAnswer<R['__response']>> => {
    for (;;) {
      try {
        const ask = (): Promise<LoginAnswer<R['__response']>> => sendOn(deps, place, request, signal);
        return await (doubt?.judge(ask) ?? ask());
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof TelegramError) unansweredSince = clock.elapsed();
        else if (clock.elapsed() - unansweredSince >= patienceMs)
          throw new NotConnectedError('telegram is out of reach', { cause: error });
        const dc = movedTo(error);
        if (dc === undefined || moves >= maxMoves) throw error;
        moves += 1;
        place.dc = dc;
      }
    }
  };
  const pauseMs = (failures: number): number => reconnect.delayMs(failures, random);
  const options = { clock, gate: new RateGate(clock), onWait, pauseMs };
  return await retryRpc(options, request.className, send, signal, new LightAbort());
}

async function sendOn<R extends Api.AnyRequest>(
  deps: LoginCallDeps,
  place: LoginPlace,
  request: R,
  signal: LightAbortSignal,
): Promise<LoginAnswer<R['__response']>> {
  const key = place.keys.get(place.dc);
  const options = { dc: place.dc, ...(key && { key }), onUpdate: deps.onUpdate, isUrgent: () => true };
  const connection = await openMtprotoConnection(deps, options, signal);
  place.keys.set(place.dc, connection.key);
  try {
    const ask = (): Promise<R['__response']> => connection.introduce(request);
    return { answer: await withTimeout(deps.clock, answerMs, noAnswer, ask, signal), connection };
  } catch (error) {
    if (error instanceof TelegramError && error.errorName === 'SESSION_PASSWORD_NEEDED')
      return { answer: 'password', connection };
    connection.close();
    throw error;
  }
}

import { beforeEach, describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../../actors/kit/light-abort.ts';
import { RateGate } from '../../../../../src/telegram/connection/rate-gate.ts';
import type { AskedWait } from '../../../../../src/telegram/connection/retry-after.ts';
import { KeyDoubt } from '../../../../../src/telegram/gramjs/connection/key-doubt.ts';
import {
  ConnectionDownError,
  KeyRefusedError,
} from '../../../../../src/telegram/gramjs/connection/mtproto-connection.ts';
import { NoAnswerError, retryRpc } from '../../../../../src/telegram/gramjs/connection/retry-rpc.ts';
import { LoginLostError } from '../../../../../src/telegram/login/login-lost.ts';
import { NotConnectedError, TelegramError } from '../../../../../src/telegram/port/errors.ts';
import { createDrivenClock, type DrivenClock } from '../../../../support/kit/clock.ts';
import { failureOf } from '../../../../support/kit/failure-of.ts';

const request = 'messages.SendMessage';
let clock: DrivenClock;
let waits: AskedWait[];
let sends: number;
let signal: LightAbort;
let ended: LightAbort;

beforeEach(() => {
  clock = createDrivenClock();
  waits = [];
  sends = 0;
  signal = new LightAbort();
  ended = new LightAbort();
});

/** Fails with each of these in turn, then succeeds. */
function send(
  errors: Error[],
  { maxWaitMs, ...more }: { maxWaitMs?: number; pauseMs?: (n: number) => number; onResend?: () => void } = {},
) {
  const once = async (): Promise<string> => {
    sends += 1;
    const error = errors.shift();
    if (error !== undefined) throw error;
    return 'sent';
  };
  const options = { clock, gate: new RateGate(clock), onWait: (wait: AskedWait) => void waits.push(wait), maxWaitMs };
  return retryRpc({ ...options, ...more }, request, once, signal, ended);
}
const wait = (seconds: number): TelegramError => new TelegramError(420, `FLOOD_WAIT_${seconds}`, request);
const fault = (): TelegramError => new TelegramError(500, 'INTERNAL', request);

describe('a request to Telegram', () => {
  it('[ER3.2] waits as often as Telegram asks, for 240 s', async () => {
    const sent = failureOf(send(Array.from({ length: 20 }, () => wait(50))));
    await clock.advance(250_000);
    expect(await sent).toMatchObject({ errorName: 'FLOOD_WAIT_50' });
    // At 0, 50, … 250 s: no further wait begins after 240 s.
    expect([sends, waits.length]).toEqual([6, 6]);
    expect(waits.map(({ waited }) => waited)).toEqual([true, true, true, true, true, false]);
    expect(waits[0]).toEqual({ request, seconds: 50, waited: true });
  });

  it('[MX2.6] says when it is sent again although it may have been carried out, and is not if that throws', async () => {
    const resent: number[] = [];
    const noAnswer = new NoAnswerError();
    const sent = send([wait(5), noAnswer, fault()], { onResend: () => void resent.push(sends) });
    await clock.advance(60_000);
    expect(await sent).toBe('sent');
    expect(resent).toEqual([2, 3]);
    const unclear = new Error('unclear');
    const onResend = (): void => {
      throw unclear;
    };
    await expect(send([noAnswer], { onResend })).rejects.toBe(unclear);
    expect(sends).toBe(5);
  });

  it('[ER3.2] does not wait longer than its caller wants', async () => {
    await expect(send([wait(5)], { maxWaitMs: 4999 })).rejects.toMatchObject({ errorName: 'FLOOD_WAIT_5' });
    expect(waits).toEqual([{ request, seconds: 5, waited: false }]);
    const sent = send([wait(5)], { maxWaitMs: 5000 });
    await clock.advance(5000);
    expect(await sent).toBe('sent');
  });

  it('[ER3.4] is repeated after 1, 2 and 4 s if a server of Telegram fails', async () => {
    const sent = failureOf(send([fault(), fault(), fault(), fault()]));
    for (const [ms, count] of [
      [999, 1],
      [1, 2],
      [1999, 2],
      [1, 3],
      [3999, 3],
      [1, 4],
    ] as const) {
      await clock.advance(ms);
      expect(sends).toBe(count);
    }
    expect(await sent).toMatchObject({ errorName: 'INTERNAL' });
    expect(waits).toEqual([]);
  });

  it('[MS6.2] is repeated after a lost connection, up to 8 times, with its pauses', async () => {
    const pauses: number[] = [];
    const pauseMs = (failures: number): number => {
      pauses.push(failures);
      return 100;
    };
    const sent = failureOf(
      send(
        Array.from({ length: 9 }, (_, n) => (n % 2 === 0 ? new NoAnswerError() : new ConnectionDownError('x'))),
        { pauseMs },
      ),
    );
    await clock.advance(10_000);
    expect(await sent).toBeInstanceOf(NotConnectedError);
    expect([sends, pauses]).toEqual([8, [1, 2, 3, 4, 5, 6, 7]]);
  });

  it('[ER3.1] is an error at once for any other reason', async () => {
    await expect(send([new TelegramError(400, 'PEER_ID_INVALID', request)])).rejects.toThrow('PEER_ID_INVALID');
    await expect(send([new TypeError('a defect')])).rejects.toThrow('a defect');
    expect(sends).toBe(2);
  });

  it('[MS8.2] ends with its caller, or with its connection, while it waits', async () => {
    const left = failureOf(send([wait(30)]));
    await clock.settle();
    signal.abort(new Error('left'));
    expect(await left).toMatchObject({ message: 'left' });
    signal = new LightAbort();
    const cut = failureOf(send([wait(30)]));
    await clock.settle();
    ended.abort(new Error('ended'));
    expect(await cut).toMatchObject({ message: 'ended' });
    expect(clock.armed()).toBe(0);
  });
});

describe('a refused key', () => {
  const refused = (): Promise<never> => Promise.reject(new KeyRefusedError());
  const other = (): Promise<never> => Promise.reject(new Error('down'));
  const answered = async (): Promise<string> => 'open';
  const judged = async (doubt: KeyDoubt, open: () => Promise<unknown>): Promise<boolean> =>
    (await failureOf(doubt.judge(open))) instanceof LoginLostError;

  it('[SE9.3] is believed after three refusals in a row over a minute', async () => {
    const doubt = new KeyDoubt(clock, 60_000);
    expect([await judged(doubt, refused), await judged(doubt, refused)]).toEqual([false, false]);
    await clock.advance(59_999);
    expect(await judged(doubt, refused)).toBe(false);
    await clock.advance(1);
    expect(await judged(doubt, refused)).toBe(true);
  });

  it('[SE9.3] is not believed after two, however long', async () => {
    const doubt = new KeyDoubt(clock, 60_000);
    await judged(doubt, refused);
    await clock.advance(600_000);
    expect(await judged(doubt, refused)).toBe(false);
    expect(await judged(doubt, refused)).toBe(true);
  });

  it.each([['another failure', other] as const, ['an answer', answered] as const])(
    '[SE9.3] is doubted anew after %s',
    async (_, open) => {
      const doubt = new KeyDoubt(clock, 60_000);
      for (let time = 0; time < 2; time += 1) await judged(doubt, refused);
      await clock.advance(60_000);
      expect(await judged(doubt, open)).toBe(false);
      expect(await judged(doubt, refused)).toBe(false);
    },
  );
});

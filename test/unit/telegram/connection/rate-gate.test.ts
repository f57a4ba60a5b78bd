import { beforeEach, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { RateGate } from '../../../../src/telegram/connection/rate-gate.ts';
import { TelegramError } from '../../../../src/telegram/port/errors.ts';
import { createDrivenClock, type DrivenClock } from '../../../support/kit/clock.ts';

const save = 'upload.SaveBigFilePart';
const anyTime = new LightAbort();
let clock: DrivenClock;
let gate: RateGate;
let inFlight: (() => void)[];
beforeEach(() => {
  clock = createDrivenClock({ turns: 1 });
  gate = new RateGate(clock);
  inFlight = [];
});

const hang = (): Promise<void> => new Promise((resolve) => void inFlight.push(resolve));
const refuse = (errorName: string, request = save): Promise<unknown> =>
  gate.run(request, Infinity, () => Promise.reject(new TelegramError(420, errorName, request)), anyTime).catch(String);
const send = (request = save, maxWaitMs = Infinity): Promise<void> => gate.run(request, maxWaitMs, hang, anyTime);

it('[ER3.5] lets all requests pass while Telegram asks for no wait', () => {
  for (let n = 0; n < 6; n += 1) void send();
  expect(inFlight).toHaveLength(6);
});

it('[ER3.5] after a wait sends two at a time, for a minute', async () => {
  await refuse('FLOOD_PREMIUM_WAIT_3');
  for (let n = 0; n < 6; n += 1) void send(n % 2 === 0 ? save : 'upload.SaveFilePart');
  await clock.advance(2_999);
  expect(inFlight).toHaveLength(0);
  await clock.advance(1);
  expect(inFlight).toHaveLength(2);
  inFlight[0]?.();
  await clock.settle();
  expect(inFlight).toHaveLength(3);
  await clock.advance(60_000);
  for (let n = 0; n < 6; n += 1) void send();
  expect(inFlight).toHaveLength(9);
});

it('[ER3.5] a wait of a minute, or longer than the caller waits, is an error at once', async () => {
  await refuse('FLOOD_WAIT_60');
  await expect(send()).rejects.toMatchObject({ message: `A wait of 60 seconds is required (caused by ${save})` });
  await clock.advance(50_500);
  await expect(send(save, 3_000)).rejects.toMatchObject({ errorName: 'FLOOD_WAIT_10', request: save });
  const waiting = send(save, 10_000);
  await clock.advance(9_500);
  inFlight[0]?.();
  await waiting;
});

it('[ER3.5] one kind of call does not hold up another', async () => {
  await refuse('FLOOD_WAIT_3600');
  await refuse('FLOOD_WAIT_3600', 'messages.SendMessage');
  void send('upload.GetFile');
  void send('messages.SendMessage');
  expect(inFlight).toHaveLength(2);
});

it('[ER3.5] look-ups of names do not hold up those of numbers', async () => {
  await refuse('FLOOD_WAIT_3600', 'contacts.ResolveUsername');
  void send('contacts.ResolvePhone');
  expect(inFlight).toHaveLength(1);
  await expect(send('contacts.ResolveUsername')).rejects.toMatchObject({ waitSeconds: 3600 });
});

it('[ER3.5] a caller who leaves frees its place', async () => {
  await refuse('FLOOD_WAIT_30');
  const left = new LightAbort();
  const gone = [1, 2].map(() => gate.run(save, Infinity, hang, left).catch((error: Error) => error.message));
  const waiting = send();
  left.abort(new Error('enough'));
  expect(await Promise.all(gone)).toEqual(['enough', 'enough']);
  await clock.advance(30_000);
  inFlight[0]?.();
  await waiting;
  expect(clock.armed()).toBe(0);
});

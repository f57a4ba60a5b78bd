import type { DrivenClock } from './clock.ts';

/** Both ends of the connections are in this process: what is on the wire needs turns, not time. */
const turnsOfTheNetwork = 200;

/** Lets everything that is under way between clients and servers of this process arrive. */
export async function settleNetwork(): Promise<void> {
  for (let turn = 0; turn < turnsOfTheNetwork; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** Goes from timer to timer until the work has ended, well or not; the network gets to say something in between. */
export async function whileTimePasses<T>(clock: DrivenClock, work: Promise<T>): Promise<T> {
  const state = { ended: false };
  const end = (): void => {
    state.ended = true;
  };
  work.then(end, end);
  for (await settleNetwork(); !state.ended; await settleNetwork()) {
    const dueAt = clock.nextDueAt();
    if (dueAt !== undefined) await clock.advance(dueAt - clock.now());
  }
  return await work;
}

/** Lets so much time pass, the network in between. */
export async function passTime(clock: DrivenClock, forMs: number): Promise<void> {
  const end = clock.now() + forMs;
  await settleNetwork();
  for (let dueAt = clock.nextDueAt(); dueAt !== undefined && dueAt <= end; dueAt = clock.nextDueAt()) {
    await clock.advance(dueAt - clock.now());
    await settleNetwork();
  }
  await clock.advance(end - clock.now());
}

import { performance } from 'node:perf_hooks';
import { settleOutside } from '../store/outside-server.ts';
import type { DrivenClock } from './clock.ts';

/**
 * Both ends of the connections are in this process, so what is on the wire needs turns of the event loop, not time.
 * After this many turns without an event, everything has arrived.
 */
const quietTurns = 50;

/** A bound for what never rests, such as a client that polls: some ten round trips over HTTP. */
const maxTurns = 200;

/** Lets everything that is under way between clients and servers of this process arrive. Time stands still. */
export async function settleNetwork(): Promise<void> {
  do await settleTurns();
  while (await settleOutside());
}

async function settleTurns(): Promise<void> {
  let events = countEvents();
  for (let turn = 0, quiet = 0; turn < maxTurns && quiet < quietTurns; turn += 1) {
    await nextTurn();
    // Threads use files and look names up, and a busy machine may take its time: no number of turns stands for that.
    while (isUsingThreads()) await nextTurn();
    const before = events;
    events = countEvents();
    quiet = events === before ? quiet + 1 : 0;
  }
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** What the event loop has received so far: bytes, connections, finished work of its threads. */
const countEvents = (): number => performance.nodeTiming.uvMetricsInfo.events;

/** Node's names of what its threads do: with files (`FSReq…`, for a close `CloseReq`), and to look names up. */
const isUsingThreads = (): boolean =>
  process.getActiveResourcesInfo().some((name) => /^(?:FSReq|CloseReq|GetAddrInfoReq)/.test(name));

/** Goes from timer to timer until the work has ended, well or not; the network settles after each. */
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

/** Goes from timer to timer until this much time has passed; the network settles after each. */
export async function passTime(clock: DrivenClock, forMs: number): Promise<void> {
  const end = clock.elapsed() + forMs;
  const dueInMs = (): number => (clock.nextDueAt() ?? Infinity) - clock.now();
  await settleNetwork();
  for (let inMs = dueInMs(); clock.elapsed() + inMs <= end; inMs = dueInMs()) {
    await clock.advance(inMs);
    await settleNetwork();
  }
  await clock.advance(end - clock.elapsed());
}

import { describe, expect, it } from 'vitest';
import { type RecordedEvent, StoreUnavailableError } from '../../../../../actors/ports/event-store.ts';
import type { EventPage } from '../../../../../src/store/events/sqlite/event-reader.ts';
import { Subscribers } from '../../../../../src/store/events/sqlite/subscribers.ts';
import { createDrivenClock } from '../../../../support/kit/clock.ts';

const event = (position: number): RecordedEvent => ({
  id: String(position),
  type: 'Happened',
  stream: 's',
  revision: position - 1,
  position: BigInt(position),
  created: 0,
  data: null,
  metadata: null,
});

/** A log that may fail to be read, and counts how often that is tried. */
function createLog(events: RecordedEvent[]) {
  const log = {
    events,
    available: true,
    reads: 0,
    head: (): bigint => log.events.at(-1)?.position ?? 0n,
    page(after: bigint): EventPage {
      log.reads += 1;
      if (!log.available) throw new StoreUnavailableError('the disk is away');
      const found = log.events.filter(({ position }) => position > after).slice(0, 10);
      const upTo = found.at(-1)?.position ?? after;
      return { events: found, upTo, atEnd: upTo >= log.head() };
    },
  };
  return log;
}

describe('subscribers', () => {
  it('read again when reading failed, and say nothing of it', async () => {
    const clock = createDrivenClock();
    const log = createLog([event(1), event(2)]);
    log.available = false;
    const subscribers = new Subscribers(log, clock);
    const seen: bigint[] = [];
    subscribers.add({ onEvent: ({ position }) => void seen.push(position), onError: () => expect.unreachable() });
    await clock.advance(2500);
    expect([log.reads, seen]).toEqual([3, []]);
    log.available = true;
    await clock.advance(1000);
    expect(seen).toEqual([1n, 2n]);
    await subscribers.close();
  });

  it('hand over nothing more of a page, or of an append, once they are stopped', async () => {
    const log = createLog([event(1), event(2), event(3)]);
    const subscribers = new Subscribers(log, createDrivenClock());
    const seen: string[] = [];
    let stopOne = (): void => {};
    let stopOther = (): void => {};
    const one = subscribers.add({
      onEvent: ({ position }) => {
        seen.push(`one ${position}`);
        stopOne();
      },
    });
    stopOne = () => void one.stop();
    const other = subscribers.add({
      after: 3n,
      onEvent: ({ position }) => {
        seen.push(`other ${position}`);
        stopOther();
      },
    });
    stopOther = () => void other.stop();
    await new Promise(setImmediate);
    expect(seen).toEqual(['one 1']);
    const appended = [event(4), event(5)];
    log.events.push(...appended);
    subscribers.publish('s', () => appended);
    await new Promise(setImmediate);
    expect(seen).toEqual(['one 1', 'other 4']);
    await subscribers.close();
  });

  it('stop while they wait to read again, and leave no timer', async () => {
    const clock = createDrivenClock();
    const log = createLog([event(1)]);
    log.available = false;
    const subscribers = new Subscribers(log, clock);
    const subscription = subscribers.add({ onEvent: () => expect.unreachable() });
    await clock.settle();
    await subscription.stop();
    expect(clock.armed()).toBe(0);
  });

  it('keep a bounded number of events for a slow one, and read the rest when it is ready', async () => {
    const clock = createDrivenClock();
    const log = createLog([]);
    const subscribers = new Subscribers(log, clock);
    const seen: bigint[] = [];
    const gate: { open?: () => void } = {};
    const closed = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    subscribers.add({
      onEvent: ({ position }) => {
        seen.push(position);
        return closed;
      },
    });
    await clock.settle();
    const readsBefore = log.reads;
    for (let position = 1; position <= 5000; position += 1) {
      log.events.push(event(position));
      subscribers.publish('s', () => [event(position)]);
    }
    await clock.settle();
    expect([seen, log.reads]).toEqual([[1n], readsBefore]);
    gate.open?.();
    while (seen.length < 5000) await clock.settle();
    expect(seen).toEqual(log.events.map(({ position }) => position));
    // What was dropped came from the log: all but the one that was under way.
    expect(log.reads - readsBefore).toBeGreaterThanOrEqual(499);
    await subscribers.close();
  });

  it('read on behind what was handled at once, if one event takes long', async () => {
    const clock = createDrivenClock();
    const log = createLog([]);
    const subscribers = new Subscribers(log, clock);
    const seen: bigint[] = [];
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    subscribers.add({
      onEvent: ({ position }) => {
        seen.push(position);
        return position === 4n ? opened : undefined;
      },
    });
    await clock.settle();
    for (let position = 1; position <= 1500; position += 1) {
      log.events.push(event(position));
      subscribers.publish('s', () => [event(position)]);
    }
    expect(seen).toEqual([1n, 2n, 3n, 4n]);
    open();
    while (seen.length < 1500) await clock.settle();
    expect(seen).toEqual(log.events.map(({ position }) => position));
    await subscribers.close();
  });
});

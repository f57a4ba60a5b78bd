import { expect, it } from 'vitest';
import { UsageCounter } from '../../../../console/live/usage-counter.ts';

const usage = (sessions: string[], count = sessions.length): string => JSON.stringify({ sessions, count });

it('[CO9.3] what a session used changes its version once it is shown, and no other', () => {
  const counter = new UsageCounter();
  const versions = (): string[] => ['a', 'b'].map((id) => counter.versionOf(id));
  const before = versions();
  counter.count(usage(['a']));
  counter.count(usage(['a', 'c']));
  expect(versions()).toEqual(before);
  const shown = counter.show();
  expect(versions()[0]).not.toBe(before[0]);
  expect(versions()[1]).toBe(before[1]);
  expect(counter.show()).toBe(shown);
});

it('[CO9.3] if more sessions were used than are named, or nobody knows which, each may have been', () => {
  const counter = new UsageCounter();
  const seen = new Set<string>();
  for (const count of [
    () => counter.count(usage(['a'], 200)),
    () => counter.countAll(),
    () => counter.count(usage(['b'])),
  ]) {
    count();
    counter.show();
    seen.add(counter.versionOf('b'));
  }
  expect(seen.size).toBe(3);
});

import fc from 'fast-check';
import { LRUCache } from 'lru-cache';
import { expect, it } from 'vitest';
import { LruMap } from '../../../../actors/kit/lru-map.ts';

it('[MS1.4] keeps the entries used last, whether they were read or written', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  expect([...map.values()]).toEqual([1, 3]);
  expect([map.has('b'), map.peek('a'), map.size]).toEqual([false, 1, 2]);
});

it('[MS1.4] does not count a peek, or a question whether it is there, as a use', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.peek('a');
  map.has('a');
  map.set('c', 3);
  expect([...map.values()]).toEqual([2, 3]);
});

it('[MS1.4] does as the package lru-cache does, whatever is asked of both', () => {
  const action = fc.record({ kind: fc.constantFrom('get', 'peek', 'has', 'set', 'delete'), key: fc.nat(8) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(action, { maxLength: 100 }), (max, actions) => {
      const ours = new LruMap<number, { made: number }>(max);
      const theirs = new LRUCache<number, { made: number }>({ max });
      for (const [made, { kind, key }] of actions.entries()) {
        if (kind === 'set') {
          const value = { made };
          ours.set(key, value);
          theirs.set(key, value);
        } else if (kind === 'delete') {
          ours.delete(key);
          theirs.delete(key);
        } else if (kind === 'has') expect(ours.has(key)).toBe(theirs.has(key));
        else expect(ours[kind](key)).toBe(theirs[kind](key));
        expect([...ours.values()]).toEqual([...theirs.rvalues()]);
      }
    }),
  );
});

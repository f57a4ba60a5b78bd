import { describe, expect, it } from 'vitest';
import { ViewListeners } from '../../../projections/view-listeners.ts';

describe('the listeners for a session', () => {
  it('are called for it alone, until they are removed', () => {
    const listeners = new ViewListeners();
    const calls: string[] = [];
    const remove = [
      listeners.listen('a', () => calls.push('one')),
      listeners.listen('a', () => calls.push('other')),
      listeners.listen('b', () => calls.push('b')),
    ];
    listeners.changed('a');
    expect(calls.splice(0)).toEqual(['one', 'other']);
    remove[0]?.();
    listeners.changed('a');
    listeners.changed('b');
    expect(calls.splice(0)).toEqual(['other', 'b']);
    remove[1]?.();
    listeners.changed('a');
    expect(calls).toEqual([]);
  });

  it('are not removed by one that was removed before they came', () => {
    const listeners = new ViewListeners();
    const calls: string[] = [];
    const removeEarlier = listeners.listen('a', () => {});
    removeEarlier();
    listeners.listen('a', () => calls.push('later'));
    removeEarlier();
    listeners.changed('a');
    expect(calls).toEqual(['later']);
  });
});

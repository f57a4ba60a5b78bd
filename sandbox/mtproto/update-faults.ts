import type { AuthKey, KeyFilter } from '../rpc.ts';

type UpdateFault = 'lose' | 'duplicate' | 'reorder';

/** Loses, duplicates or reorders the next updates of some keys. */
export interface UpdateFaults {
  /** The fault hits the next `count` updates; 0 turns it off. */
  set(fault: UpdateFault, count: number, filter: KeyFilter | undefined): void;
  /** Calls `send`, which sends one update of this key: once, twice, later, or never. */
  apply(key: AuthKey, send: () => void): void;
  /** Turns all faults off. Updates held back for reordering are sent, the last one first. */
  clear(): void;
}

export function createUpdateFaults(): UpdateFaults {
  const active = new Map<UpdateFault, { count: number; filter: KeyFilter | undefined }>();
  const heldBack: (() => void)[] = [];

  function release(): void {
    for (const send of heldBack.splice(0).toReversed()) send();
  }

  function nextFault(key: AuthKey): UpdateFault | undefined {
    for (const [fault, state] of active) {
      if (state.filter && !state.filter(key)) continue;
      if (--state.count === 0) active.delete(fault);
      return fault;
    }
    return undefined;
  }

  return {
    set(fault, count, filter) {
      if (fault === 'reorder') release();
      if (count > 0) active.set(fault, { count, filter });
      else active.delete(fault);
    },
    apply(key, send) {
      switch (nextFault(key)) {
        case 'lose':
          return;
        case 'duplicate':
          send();
          send();
          return;
        case 'reorder':
          heldBack.push(send);
          if (!active.has('reorder')) release();
          return;
        default:
          send();
      }
    },
    clear() {
      active.clear();
      release();
    },
  };
}

import { type AuthKey, type KeyFilter, type PushShape, pushShapes } from '../rpc.ts';

/** `unreadable`: each shape in its turn. */
type UpdateFault = 'lose' | 'duplicate' | 'reorder' | 'unreadable' | PushShape;

/** Loses, duplicates, reorders or garbles the next updates of some keys. */
export interface UpdateFaults {
  /** The fault hits the next `count` updates; 0 turns it off. */
  set(fault: UpdateFault, count: number, filter: KeyFilter | undefined): void;
  /**
   * Calls `send`, which sends one update of this key: once, twice, later, never, or in a shape that the client cannot
   * read.
   */
  apply(key: AuthKey, send: (unreadable?: PushShape) => void): void;
  /** Turns all faults off. Updates held back for reordering are sent, the last one first. */
  clear(): void;
}

export function createUpdateFaults(): UpdateFaults {
  const active = new Map<UpdateFault, { count: number; filter: KeyFilter | undefined }>();
  const heldBack: (() => void)[] = [];

  function release(): void {
    for (const send of heldBack.splice(0).toReversed()) send();
  }

  function nextFault(key: AuthKey): { fault: UpdateFault; left: number } | undefined {
    for (const [fault, state] of active) {
      if (state.filter && !state.filter(key)) continue;
      if (--state.count === 0) active.delete(fault);
      return { fault, left: state.count };
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
      const next = nextFault(key);
      switch (next?.fault) {
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
        case 'lone':
        case 'short':
        case 'gzipped':
          send(next.fault);
          return;
        case 'unreadable':
          send(pushShapes.at(-1 - (next.left % pushShapes.length)));
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

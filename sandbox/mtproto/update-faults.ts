import type { AuthKey, KeyFilter } from '../rpc.ts';

type Kind = 'lose' | 'duplicate' | 'reorder';

/** What an update does that passes: sends itself to those keys. */
type Send = () => void;

/** Loses, doubles or turns around the next updates of some keys. */
export interface UpdateFaults {
  set(kind: Kind, count: number, filter: KeyFilter | undefined): void;
  /** Sends an update of this key now, twice, later, or never. */
  pass(key: AuthKey, send: Send): void;
  /** Calls everything off; what was held back is sent, the last first. */
  clear(): void;
}

export function createUpdateFaults(): UpdateFaults {
  const left = new Map<Kind, { count: number; filter: KeyFilter | undefined }>();
  const held: Send[] = [];

  function release(): void {
    for (const send of held.splice(0).toReversed()) send();
  }

  function next(key: AuthKey): Kind | undefined {
    for (const [kind, fault] of left) {
      if (fault.filter && !fault.filter(key)) continue;
      if (--fault.count === 0) left.delete(kind);
      return kind;
    }
    return undefined;
  }

  return {
    set(kind, count, filter) {
      if (kind === 'reorder') release();
      if (count > 0) left.set(kind, { count, filter });
      else left.delete(kind);
    },
    pass(key, send) {
      switch (next(key)) {
        case 'lose':
          return;
        case 'duplicate':
          send();
          send();
          return;
        case 'reorder':
          held.push(send);
          if (!left.has('reorder')) release();
          return;
        default:
          send();
      }
    },
    clear() {
      left.clear();
      release();
    },
  };
}

import { expect, it } from 'vitest';
import { type Unreadable, UnreadableEventError } from '../../../actors/ports/event-codec.ts';
import { BrokenSealError, type Sealed } from '../../../actors/ports/sealer.ts';
import { holdUnreadable, reportingSealer } from '../../../src/compose/unreadable-sessions.ts';
import { createDrivenClock } from '../../support/kit/clock.ts';
import { created, sealed, sessionEvent } from '../../support/projections/session-events.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

const at = { stream: 'session-s1', revision: 4, position: 9n };

it('[FA7.2] a session is held for what cannot be read of it, and for nothing else', () => {
  const told: string[] = [];
  const hold = holdUnreadable({
    hold: (id) => told.push(`hold ${id}`),
    foundRecorded: (id, revision) => told.push(`found ${id} ${revision}`),
  });
  hold({ ...at, kind: 'session', reason: 'unknown-type' });
  hold({ ...at, kind: 'session', reason: 'broken-seal' });
  hold({ ...at, kind: 'vault', stream: 'vault-s2', reason: 'broken-json' });
  for (const kind of ['delivery', 'outbox', 'send'] as const) {
    hold({ ...at, kind, stream: `${kind}-s3`, reason: 'broken-json' });
  }
  expect(told).toEqual(['found s1 4', 'hold s1', 'hold s2']);
});

it('[FA7.2] a sealed text that does not open names the event that it is in', async () => {
  const store = createMemoryStore(createDrivenClock());
  await store.append('session-s1', 'no-stream', [
    sessionEvent('e0', created, { to: 'qrPending' }),
    sessionEvent('e1', { type: 'QrIssued', login: 1, link: sealed('broken'), expires: 1 }, { to: 'qrPending' }),
    sessionEvent('e2', { type: 'SessionReset' }, { to: 'qrPending' }),
  ]);
  const reported: Unreadable[] = [];
  const below = {
    open: async (_id: string, text: Sealed) => {
      if (text === sealed('broken')) throw new BrokenSealError('does not open');
      if (text === sealed('away')) throw new Error('away');
      return text.slice(3);
    },
  };
  const sealer = reportingSealer({ store, reportUnreadable: (event) => reported.push(event) }, below);
  expect(await sealer.open('s1', sealed('name'))).toBe('name');
  await expect(sealer.open('s1', sealed('away'))).rejects.toThrow('away');
  await expect(sealer.open('s1', sealed('broken'))).rejects.toThrow(UnreadableEventError);
  expect(reported).toEqual([
    { kind: 'session', stream: 'session-s1', revision: 1, position: 2n, reason: 'broken-seal' },
  ]);
  await expect(sealer.open('s2', sealed('broken'))).rejects.toThrow(BrokenSealError);
});

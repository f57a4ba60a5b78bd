import { expect, it } from 'vitest';
import type { SessionFact, SessionState } from '../../../../actors/session/events.ts';
import { type RecordedSessionEvent, sessionCodec } from '../../../../actors/session/session-codec.ts';
import { SessionActivity } from '../../../../projections/activity/activity.ts';
import type { SessionView } from '../../../../projections/session-view.ts';
import { recorded, sealed, sessionEvent, start } from '../../../support/projections/session-events.ts';
import { allReadable } from '../../../support/store/all-readable.ts';

const hourMs = 60 * 60_000;

function activityAt(now: number): SessionActivity {
  return new SessionActivity({ clock: { now: () => now }, reportUnreadable: allReadable });
}

function see(
  activity: SessionActivity,
  fact: SessionFact,
  place: { from: SessionState; to: SessionState; at?: number },
): void {
  const event = sessionCodec.decode(recorded('s-1', 1, sessionEvent('e', fact, { ...place, reason: 'of the state' })));
  activity.seeSession(event as RecordedSessionEvent, { id: 's-1', tenant: 'acme' } as SessionView);
}

const account = { account: sealed('account'), picture: sealed('') };

it('[OS3.5] counts logins, and losses of logins by reason', () => {
  const activity = activityAt(start);
  see(activity, { type: 'LoggedIn', login: 1, ...account }, { from: 'qrPending', to: 'connected' });
  see(
    activity,
    { type: 'LoginImported', login: 1, format: 'telethon', ...account },
    { from: 'qrPending', to: 'connected' },
  );
  see(activity, { type: 'LoginLost', login: 1, reason: 'SESSION_REVOKED' }, { from: 'connected', to: 'qrPending' });
  see(
    activity,
    { type: 'BotLoginLost', login: 1, reason: 'AUTH_KEY_UNREGISTERED' },
    { from: 'disconnected', to: 'disconnected' },
  );
  see(activity, { type: 'DisconnectedTimedOut' }, { from: 'disconnected', to: 'deleted' });
  // There was no login yet.
  see(
    activity,
    { type: 'LoginLost', login: 1, reason: 'SESSION_REVOKED' },
    { from: 'passwordRequired', to: 'qrPending' },
  );
  expect(Object.fromEntries(activity.counted('1h', 'acme').counts)).toEqual({
    login: 2,
    'loss SESSION_REVOKED': 1,
    'loss AUTH_KEY_UNREGISTERED': 1,
    'loss of the state': 1,
    // Two came, one went.
    connected: 1,
  });
  expect(activity.counted('1h', '').counts.size).toBe(0);
  expect(activity.lastLosses(undefined, start).map(({ id, reason }) => [id, reason])).toHaveLength(3);
});

it('[OS3.6] has after a load what it has saved, the last 20 losses of a tenant too', () => {
  const saved = activityAt(start);
  for (let number = 0; number < 25; number += 1) {
    const fact = { type: 'LoginLost', login: 1, reason: `R${number}` } as const;
    see(saved, fact, { from: 'connected', to: 'qrPending', at: start - hourMs + number });
  }
  const loaded = activityAt(start + hourMs);
  const rows = [...saved.changes()].filter((row): row is [string, string] => row[1] !== undefined);
  loaded.load({ rows: () => rows });
  const reasons = loaded.lastLosses('acme', 0).map(({ reason }) => reason);
  expect([reasons.length, reasons[0], reasons.at(-1)]).toEqual([20, 'R24', 'R5']);
  expect(loaded.lastLosses('other', 0)).toEqual([]);
  expect(loaded.lastLosses('acme', start)).toEqual([]);
  // Their reasons, and how the connected sessions changed.
  expect([loaded.counted('1h', 'acme').counts.size, loaded.counted('24h', 'acme').counts.size]).toEqual([0, 26]);
});

import { expect, it } from 'vitest';
import { frozenAt } from '../../../../console/session/frozen-account.ts';

/** Events of these types, each recorded a minute after the one before. */
const events = (...types: string[]): { type: string; created: string }[] =>
  types.map((type, minute) => ({ type, created: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString() }));

it('[CO3.1] an account is frozen from the refusal until its login is another one', () => {
  expect(frozenAt(events())).toBeUndefined();
  expect(frozenAt(events('LoggedIn', 'ConnectionLost', 'ConnectionRestored'))).toBeUndefined();
  expect(frozenAt(events('LoggedIn', 'AccountFrozen', 'ConnectionLost'))).toBe('2026-01-01T00:01:00.000Z');
  expect(frozenAt(events('LoggedIn', 'AccountFrozen', 'GatewayRestarted', 'AccountFrozen'))).toBe(
    '2026-01-01T00:03:00.000Z',
  );
});

it.each(['LoggedIn', 'LoginLost', 'SessionReset'])('[CO3.1] after %s it is not known to be frozen', (type) => {
  expect(frozenAt(events('LoggedIn', 'AccountFrozen', type))).toBeUndefined();
});

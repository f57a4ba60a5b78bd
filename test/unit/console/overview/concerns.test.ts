import { describe, expect, it } from 'vitest';
import type { SessionStats } from '../../../../console/api/types.ts';
import { concernsOf } from '../../../../console/overview/concerns.ts';
import { readWindow, windowHref, windows } from '../../../../console/overview/overview-window.ts';

const now = Date.parse('2026-03-04T10:00:00.000Z');
const minutesAgo = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
const well: SessionStats = {
  window: '1h',
  since: minutesAgo(60),
  version: '0.1.0',
  startedAt: minutesAgo(600),
  store: 'sqlite',
  states: { qrPending: 3, codeRequired: 0, passwordRequired: 1, connected: 9, disconnected: 0, deleted: 4 },
  logins: 2,
  losses: [],
  lastLosses: [],
  sends: { ok: 40, failed: 0 },
  deliveries: { ok: 90, failed: 2, parked: 0 },
  backlog: { pending: 2, oldest: minutesAgo(4) },
  waits: 1,
};

describe('whether all is well', () => {
  it('[CO11.1] nothing is to be looked at while sessions are connected and deliveries arrive', () => {
    expect(concernsOf(well, now)).toEqual([]);
  });

  it('[CO11.1] says what is not as it should be, and where to look', () => {
    const stats: SessionStats = {
      ...well,
      states: { ...well.states, disconnected: 2 },
      losses: [
        { reason: 'SESSION_REVOKED', count: 2 },
        { reason: 'disconnected-timeout', count: 1 },
      ],
      sends: { ok: 1, failed: 1 },
      deliveries: { ok: 1, failed: 9, parked: 1 },
      backlog: { pending: 8, oldest: minutesAgo(90) },
    };
    expect(concernsOf(stats, now)).toEqual([
      { text: '2 sessions disconnected', href: '#/sessions?state=disconnected' },
      { text: '3 logins lost', href: '#/sessions?state=any&sort=-since' },
      { text: '1 send failed', href: '#/sessions?state=connected' },
      { text: '1 delivery given up', href: '#/sessions' },
      { text: 'deliveries wait for 1 h', href: '#/sessions' },
    ]);
  });
});

describe('the window of the overview', () => {
  it('[CO11.1] stands in the address, and is an hour if that names none', () => {
    expect(windows.map((window) => readWindow(windowHref(window)))).toEqual(['1h', '24h', '7d']);
    expect(['', '#/', '#/?window=1y'].map(readWindow)).toEqual(['1h', '1h', '1h']);
  });
});

import { describe, expect, it } from 'vitest';
import {
  type MonitorEvent,
  matchesMonitor,
  monitorHref,
  readMonitorEvent,
  readMonitorFilter,
} from '../../../../console/monitor/monitor-event.ts';

const event: MonitorEvent = {
  type: 'LoginLost',
  id: '01a2117b-842c-75ba-97bd-32f303ea0f2d',
  seq: 7,
  state: 'qrPending',
  reason: 'SESSION_REVOKED',
  externalId: 'customer-4711',
  label: 'Berlin desk',
  created: '2026-03-04T10:00:00.000Z',
};
const all = { type: '', state: '', q: '' };

describe('an event of the monitor', () => {
  it('[CO11.2] is read from the stream', () => {
    const { type, ...data } = event;
    expect(readMonitorEvent({ event: type, data: JSON.stringify(data) })).toEqual(event);
  });

  it('[CO11.2] is found by fact, state, and some characters of session or reason', () => {
    const found = (filter: object): boolean => matchesMonitor(event, { ...all, ...filter });
    expect([{}, { type: 'LoginLost' }, { state: 'qrPending' }].map(found)).toEqual([true, true, true]);
    expect(['BERLIN', 'r-47', ' 842c ', 'revoked'].map((q) => found({ q }))).toEqual([true, true, true, true]);
    expect([{ type: 'LoggedIn' }, { state: 'connected' }, { q: 'Rome' }].map(found)).toEqual([false, false, false]);
    expect(found({ type: 'LoginLost', state: 'deleted', q: 'Berlin' })).toBe(false);
  });
});

describe('the address of the monitor', () => {
  it('[CO11.2] has the filter, without what it does not ask for', () => {
    const filter = { type: 'LoginLost', state: 'deleted', q: 'a&b=c d' };
    expect(readMonitorFilter(monitorHref(filter))).toEqual(filter);
    expect(monitorHref(all)).toBe('#/events');
    expect(readMonitorFilter('#/events')).toEqual(all);
    expect(['', '#/', '#/eventsx', '#/sessions/events'].map(readMonitorFilter)).toEqual(Array(4).fill(undefined));
  });
});

import type { SessionSummary } from '../api/types.ts';

/** An event of any session, as `GET /sessions/stream` has it. */
export interface MonitorEvent extends Pick<SessionSummary, 'id' | 'state' | 'reason' | 'externalId' | 'label'> {
  /** The fact: `LoggedIn`. */
  type: string;
  /** Place in the session's log, from 1. */
  seq: number;
  /** When it was recorded. ISO 8601. */
  created: string;
}

/** What a monitor shows; an empty field asks for nothing. */
export interface MonitorFilter {
  /** A fact. */
  type: string;
  state: string;
  /** Characters in the ID or the names of the session, or in the reason. */
  q: string;
}

const monitorHash = /^#\/events(?:\?(.*))?$/;

/** The filter in the part of the address after `#`; undefined if it shows no monitor. */
export function readMonitorFilter(hash: string): MonitorFilter | undefined {
  const found = monitorHash.exec(hash);
  if (found === null) return undefined;
  const query = new URLSearchParams(found[1] ?? '');
  const field = (name: keyof MonitorFilter): string => query.get(name) ?? '';
  return { type: field('type'), state: field('state'), q: field('q') };
}

/** The address of the monitor with a filter. */
export function monitorHref(filter: Partial<MonitorFilter> = {}): string {
  const filled = Object.entries(filter).filter(([, value]) => value !== '');
  return filled.length === 0 ? '#/events' : `#/events?${new URLSearchParams(filled).toString()}`;
}

/** @param message of the stream: its event's name, and the JSON of the rest */
export function readMonitorEvent({ event = '', data }: { event?: string | undefined; data: string }): MonitorEvent {
  return { type: event, ...(JSON.parse(data) as Omit<MonitorEvent, 'type'>) };
}

export function matchesMonitor(event: MonitorEvent, { type, state, q }: MonitorFilter): boolean {
  const { id, label, externalId, reason } = event;
  const sought = q.trim().toLowerCase();
  return (
    (type === '' || event.type === type) &&
    (state === '' || event.state === state) &&
    (sought === '' || [id, label, externalId, reason].some((text) => text.toLowerCase().includes(sought)))
  );
}

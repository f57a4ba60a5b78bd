import type { SessionState } from '../../actors/session/events.ts';

/** The chart's names, as people say them. */
const stateNames: Record<SessionState, string> = {
  qrPending: 'QR pending',
  passwordRequired: 'Password required',
  connected: 'Connected',
  disconnected: 'Disconnected',
  deleted: 'Deleted',
};

/** A state that is new to this page is named as the chart has it. */
export const stateName = (state: string): string => stateNames[state as SessionState] ?? state;

const unitsMs: readonly [number, string][] = [
  [24 * 3_600_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** The largest unit alone: `3 min`. */
export function duration(ms: number): string {
  const [unitMs, unit] = unitsMs.find(([size]) => ms >= size) ?? [1_000, 's'];
  return `${Math.floor(Math.max(0, ms) / unitMs)} ${unit}`;
}

/** What is left, to the second: `2:31`, `1:02:03`. Nothing is less than `0:00`. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const two = (n: number): string => String(n).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

export const msOf = (iso: string): number => Date.parse(iso);

const clockTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dayTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** The time of day; with the day where it is another one than today. */
export function time(iso: string): string {
  const date = new Date(iso);
  return date.toDateString() === new Date().toDateString() ? clockTime.format(date) : dayTime.format(date);
}

export const wholeTime = (iso: string): string => whole.format(new Date(iso));

/** An ID that begins with its time tells little by its beginning. */
export const shortId = (id: string): string => (id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id);

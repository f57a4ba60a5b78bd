import type { SessionState } from '../../actors/session/events.ts';

const stateNames: Record<SessionState, string> = {
  qrPending: 'QR pending',
  codeRequired: 'Code required',
  passwordRequired: 'Password required',
  connected: 'Connected',
  disconnected: 'Disconnected',
  deleted: 'Deleted',
};

/** The name of a state for people. A state that this page does not know keeps the chart's name. */
export const stateName = (state: string): string => stateNames[state as SessionState] ?? state;

const unitsMs: readonly [number, string][] = [
  [24 * 3_600_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** In the largest unit, rounded down: `3 min`. A negative duration is `0 s`. */
export function formatDuration(ms: number): string {
  const [unitMs, unit] = unitsMs.find(([size]) => ms >= size) ?? [1_000, 's'];
  return `${Math.floor(Math.max(0, ms) / unitMs)} ${unit}`;
}

/** The time left, in seconds: `2:31`, `1:02:03`. A negative one is `0:00`. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const twoDigits = (n: number): string => String(n).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${twoDigits(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

/** `1 session`, `2 sessions`; `1 delivery`, `2 deliveries` if the plural is given. */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/** ISO 8601 → milliseconds since 1970. */
export const epochMs = (iso: string): number => Date.parse(iso);

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const dateAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** The time of day of an ISO 8601 time; with the day, unless that is today. */
export function formatTime(iso: string): string {
  const date = new Date(iso);
  return date.toDateString() === new Date().toDateString() ? timeOfDay.format(date) : dayAndTime.format(date);
}

/** The time of day, with seconds, of a time in milliseconds since 1970. */
export const formatClockTime = (atMs: number): string => timeOfDay.format(new Date(atMs));

/** The date with the year, and the time with seconds and the viewer's zone: `5 Jan 2026, 08:15:00 CET`. */
export const formatDateTime = (iso: string): string => dateAndTime.format(new Date(iso));

const hourAndMinute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const monthAndYear = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' });
const wholeDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** Hours and minutes: `14:03`. */
export const formatClock = (iso: string): string => hourAndMinute.format(new Date(iso));

/** Hours and minutes of today's times; the day and month of this year's; else the month and year. */
export function formatClockOrDay(iso: string, now: Date): string {
  const date = new Date(iso);
  if (date.toDateString() === now.toDateString()) return hourAndMinute.format(date);
  return (date.getFullYear() === now.getFullYear() ? dayAndMonth : monthAndYear).format(date);
}

/** `Today`, `Yesterday`, or the whole date. */
export function formatDay(iso: string, now: Date): string {
  const date = new Date(iso);
  const day = date.toDateString();
  if (day === now.toDateString()) return 'Today';
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return day === yesterday.toDateString() ? 'Yesterday' : `${weekday.format(date)} ${wholeDay.format(date)}`;
}

/** In kB, MB or GB of 1,000 each, as Telegram's apps show it; up to 999 bytes are `B`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let size = bytes;
  let unit = 0;
  while (size >= 999.95 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}

/** Sessions created at about the same time have IDs with the same beginning, so the end is shown as well. */
export const shortId = (id: string): string => (id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id);

/** `BS` of `Bob Stone`. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => String.fromCodePoint(word?.codePointAt(0) ?? 32).trim())
    .join('')
    .toUpperCase();
}

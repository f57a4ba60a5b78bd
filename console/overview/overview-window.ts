import type { SessionStats } from '../api/types.ts';

export type StatsWindow = SessionStats['window'];

/** The windows that the overview counts in, and their names. */
export const windowNames: Readonly<Record<StatsWindow, string>> = {
  '1h': 'the last hour',
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
};
export const windows = Object.keys(windowNames) as StatsWindow[];

/** The window in the part of the address after `#`; an hour if it names none. */
export function readWindow(hash: string): StatsWindow {
  const given = new URLSearchParams(hash.split('?')[1] ?? '').get('window');
  return windows.find((window) => window === given) ?? '1h';
}

export const windowHref = (window: StatsWindow): string => (window === '1h' ? '#/' : `#/?window=${window}`);

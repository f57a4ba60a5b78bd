import { expect, it } from 'vitest';
import { connectedPath, connectedRange } from '../../../../console/overview/history-plot.ts';

const history = (...counts: number[]) =>
  counts.map((connected) => ({ at: '2026-01-01T00:00:00.000Z', connected, logins: 0, lost: 0 }));

it('[CO11.3] the line of connected sessions has a step for each part, from the bottom to below the top', () => {
  expect(connectedPath(history(0, 2, 1))).toBe('M0,100.0 H200.0 V4.0 H400.0 V52.0 H600.0');
  expect(connectedRange(history(0, 2, 1))).toEqual({ lowest: 0, highest: 2, now: 1 });
});

it('[CO11.3] without a connected session the line is at the bottom', () => {
  expect(connectedPath(history(0, 0))).toBe('M0,100.0 H300.0 V100.0 H600.0');
});

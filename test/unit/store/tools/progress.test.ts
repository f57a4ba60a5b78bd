import { describe, expect, it } from 'vitest';
import { createProgress } from '../../../../src/store/tools/progress.ts';

function screenOf(isTTY: boolean): { screen: { isTTY: boolean; write: (text: string) => void }; text: () => string } {
  let written = '';
  return {
    screen: {
      isTTY,
      write: (text) => {
        written += text;
      },
    },
    text: () => written,
  };
}

describe('progress', () => {
  it('paints one line over and over on a terminal', () => {
    let now = 0;
    const { screen, text } = screenOf(true);
    const progress = createProgress(screen, { elapsed: () => now });
    const report = progress.begin('copied');
    for (let done = 1; done <= 2000; done += 1) {
      now += 1;
      report(done, 2000);
    }
    progress.end();
    const paints = text().split('\r\u001B[2K').slice(1);
    expect(paints.length).toBeGreaterThan(4);
    expect(paints.length).toBeLessThan(20);
    expect(paints.at(-1)).toBe(`copied [${'#'.repeat(30)}] 100 % (2,000 of 2,000 events, 1,000/s)\n`);
    expect(text().match(/\n/g)).toHaveLength(1);
  });

  it('writes a plain line now and then elsewhere', () => {
    let now = 0;
    const { screen, text } = screenOf(false);
    const report = createProgress(screen, { elapsed: () => now }).begin('replayed');
    for (let done = 1; done <= 12_800; done += 1) {
      now += 1;
      report(done, 12_800);
    }
    const lines = text().split('\n').slice(0, -1);
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toBe('replayed 100 % (12,800 of 12,800 events, 1,000/s)');
    expect(text()).not.toContain('\u001B');
  });

  it('says what is to be said above the bar', () => {
    const { screen, text } = screenOf(true);
    const progress = createProgress(screen, { elapsed: () => 0 });
    progress.begin('replayed')(1, 1);
    progress.say('session-a 4 differs');
    expect(text()).toMatch(/events\)\r.\[2Ksession-a 4 differs\n\r.\[2Kreplayed/);
  });
});

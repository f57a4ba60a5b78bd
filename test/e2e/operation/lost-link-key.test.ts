import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { onKurrentDb, openScene, type Scene } from '../../support/e2e/scene.ts';

const log: string[] = [];
let scene: Scene;
beforeEach(async () => {
  log.length = 0;
  scene = await openScene({ logTo: { write: (line) => void log.push(line) } });
});
afterEach(() => scene.close());

const warnings = (): string[] =>
  log
    .map((line) => JSON.parse(line) as { level: number; msg: string })
    .flatMap(({ level, msg }) => (level === 40 && msg.startsWith('media-link.key') ? [msg] : []));
async function restart(): Promise<void> {
  await scene.restart();
  await scene.whilePassing(scene.gateway.started);
}

// With KurrentDB there is no such file: the key is a setting.
it.skipIf(onKurrentDb)(
  '[FA5.2] a key of media links that is gone is made anew, which the log says if there are sessions',
  async () => {
    const file = join(scene.gateway.dataDir, 'media-link.key');
    rmSync(file);
    await restart();
    expect(warnings()).toEqual([]);
    await scene.create();
    await restart();
    expect(warnings()).toEqual([]);
    rmSync(file);
    await restart();
    expect(warnings()).toEqual(['media-link.key was missing and is made anew: no media link of before opens']);
  },
);

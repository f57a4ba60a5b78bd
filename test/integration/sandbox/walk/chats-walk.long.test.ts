import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { control, openSandbox } from '../../../support/sandbox/control-client.ts';
import { ChatPicture } from '../../../support/sandbox/walk/chat-picture.ts';
import { RandomChanges } from '../../../support/sandbox/walk/random-changes.ts';
import { RawLogin } from '../../../support/sandbox/walk/raw-login.ts';

const changesPerWalk = 200;
/** `CHAT_WALKS=300` walks further, `CHAT_WALK_SEED=17` begins with another seed. */
const walks = Number(process.env['CHAT_WALKS'] ?? 10);
const firstSeed = Number(process.env['CHAT_WALK_SEED'] ?? 1);

let sandbox: Sandbox;
let defects: string[];
beforeAll(async () => {
  ({ sandbox, defects } = await openSandbox());
});
afterAll(() => sandbox.close());

describe('the clients of one account', () => {
  const seeds = Array.from({ length: walks }, (_, index) => firstSeed + index);
  it.each(seeds)('see what a fresh login sees after 200 changes, connected or away (seed %i)', async (seed) => {
    await control(sandbox, 'POST', '/reset');
    const logins = [await RawLogin.open(sandbox, 1001, 198), await RawLogin.open(sandbox, 1001, 227)];
    const pictures = [];
    for (const login of logins) pictures.push(await ChatPicture.read(login));
    const away = await RawLogin.open(sandbox, 1001, 198);
    for (const picture of pictures) await picture.follow();
    const missed = await ChatPicture.read(away);
    away.close();
    const changes = new RandomChanges(sandbox, seed);
    for (let step = 0; step < changesPerWalk; step += 1) {
      await changes.next();
      for (const picture of pictures) await picture.follow();
    }
    const fresh = await RawLogin.open(sandbox, 1001, 198);
    for (const picture of pictures) await picture.follow();
    await away.reconnect();
    await missed.catchUp();
    const seen = (await ChatPicture.read(fresh)).describe();
    expect(pictures[0]?.describe(), 'connected, layer 198').toEqual(seen);
    expect(pictures[1]?.describe(), 'connected, layer 227').toEqual(seen);
    expect(missed.describe(), 'away').toEqual(seen);
    expect(defects).toEqual([]);
    for (const login of [...logins, away, fresh]) login.close();
  });
});

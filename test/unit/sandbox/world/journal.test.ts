import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareSeed } from '../../../../sandbox/world/seed/seed.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { openWorldFixture } from '../../../support/sandbox/world-fixture.ts';

let temporary: TemporaryFolder;
let folder: string;
beforeEach(async () => {
  temporary = await createTemporaryFolder();
  folder = temporary.path;
});
afterEach(() => temporary.remove());

describe('a world with a folder', () => {
  it('skips an incomplete last line, and rewrites its journal at each start', async () => {
    const first = await openWorldFixture({ folder });
    const key = await first.logIn(1001);
    const peer = { _: 'inputPeerSelf' };
    for (let number = 1; number <= 50; number += 1) {
      const params = { peer, message: `note ${number}`, random_id: BigInt(number) };
      await first.call(key, 'messages.sendMessage', params);
    }
    const pts = first.world.tables.box('user:1001').pts;
    const path = join(folder, 'journal.jsonl');
    first.world.close();
    const before = readFileSync(path, 'utf8').length;
    appendFileSync(path, '["put","messages",{"box":"user:1001","id":9');

    const second = await openWorldFixture({ folder });
    expect(second.world.tables.box('user:1001').pts).toBe(pts);
    expect(second.world.tables.history('user:1001', 'user:1001')).toHaveLength(50);
    expect(second.world.tables.activeLogins(1001)).toMatchObject([{ keyId: key.id }]);
    const again = second.call(key, 'messages.sendMessage', { peer, message: 'x', random_id: 50n });
    expect((await again).updates).toMatchObject([{ _: 'updateMessageID' }, { message: { message: 'note 50' } }]);
    second.world.close();
    expect(readFileSync(path, 'utf8').length).toBeLessThan(before);
  });

  it('does not restore deleted messages, nor anything from before a reset', async () => {
    const first = await openWorldFixture({ folder });
    const key = await first.logIn(1001);
    const [oldest] = first.world.tables.history('user:1001', 'user:1002');
    await first.call(key, 'messages.deleteMessages', { id: [oldest] });
    first.world.close();
    const second = await openWorldFixture({ folder });
    expect(second.world.tables.history('user:1001', 'user:1002')).not.toContain(oldest);
    second.world.reset(await prepareSeed());
    second.world.close();
    const third = await openWorldFixture({ folder });
    expect(third.world.tables.history('user:1001', 'user:1002')).toContain(oldest);
    expect(third.world.tables.activeLogins(1001)).toEqual([]);
    third.world.close();
  });
});

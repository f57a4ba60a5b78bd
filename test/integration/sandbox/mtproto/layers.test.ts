import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { startLocalSandbox } from '../../../support/sandbox/sandbox.ts';
import { RawConnection } from '../../../support/telegram-clients/raw-connection.ts';
import { shakeHands } from '../../../support/telegram-clients/raw-handshake.ts';
import { RawSession } from '../../../support/telegram-clients/raw-session.ts';

const getConfig = { _: 'help.getConfig' };
const refusal = { error_code: 400, error_message: 'CONNECTION_LAYER_INVALID' };
const defects: unknown[] = [];
let folder: TemporaryFolder;
let sandbox: Sandbox;
let connection: RawConnection;

/** A client with a new key: what its first call is answered with. */
async function firstAnswer(layer: number): Promise<unknown> {
  const session = new RawSession(connection, await shakeHands(connection, sandbox.protocol), { layer });
  return session.result(session.call(session.withLayer(getConfig)));
}

beforeAll(async () => {
  folder = await createTemporaryFolder();
  copyFileSync('sandbox/tl/schema/layer227.tl', join(folder.path, 'layer228.tl'));
  sandbox = await startLocalSandbox({
    schemaFolder: folder.path,
    onDefect: (_context, error) => void defects.push(error),
  });
  connection = await RawConnection.open(sandbox.protocol.ports.get(2) ?? 0);
});
afterAll(async () => {
  connection.close();
  await sandbox.close();
  await folder.remove();
});

describe('a layer', () => {
  it.each([0, -1, 1, 197, 199, 229, 999_999])('without a schema is refused (%i)', async (layer) => {
    defects.length = 0;
    expect(await firstAnswer(layer)).toMatchObject(refusal);
    expect(defects.map(String)).toEqual([
      `UnknownLayer: Layer ${layer} has no schema (there are 198, 227, 228). To add it, put layer${layer}.tl in a ` +
        'folder, and start the sandbox with SANDBOX_SCHEMAS=<folder>',
    ]);
  });

  it.each([198, 227, 228])('with a schema, of the sandbox or of SANDBOX_SCHEMAS, is spoken (%i)', async (layer) => {
    expect(await firstAnswer(layer)).toMatchObject({ _: 'config' });
  });

  it('that is refused does not replace that of the key', async () => {
    const key = await shakeHands(connection, sandbox.protocol);
    const first = new RawSession(connection, key, { layer: 227 });
    await first.result(first.call(first.withLayer(getConfig)));
    expect(await first.result(first.call({ ...first.withLayer(getConfig), layer: 5 }))).toMatchObject(refusal);
    expect(sandbox.protocol.storedKeys().find(({ id }) => id === key.id.toString('hex'))).toMatchObject({ layer: 227 });
    expect(await first.result(first.call(getConfig))).toMatchObject({ _: 'config' });
  });
});

describe('SANDBOX_SCHEMAS', () => {
  it('must be a folder of schemas of the API', async () => {
    const other = await createTemporaryFolder();
    const start = () => startLocalSandbox({ schemaFolder: other.path });
    await expect(start()).rejects.toThrow(`${other.path} has no file with a name like layer198.tl`);
    writeFileSync(join(other.path, 'layer230.tl'), 'not a schema');
    await expect(start()).rejects.toThrow('layer230.tl is not a schema of the API: no invokeWithLayer');
    expect(await firstAnswer(230)).toMatchObject(refusal);
    await other.remove();
  });
});

import { AuthKey } from 'telegram/crypto/AuthKey.js';
import sessions from 'telegram/sessions/index.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ann, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { gramJsClient } from '../../support/telegram-clients/gramjs.ts';
import { mtcuteClient } from '../../support/telegram-clients/mtcute.ts';

const { StringSession } = sessions;

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

interface Exported extends Record<string, unknown> {
  string: string;
}
const exportLogin = (caller: Caller, format: string) =>
  scene.request<Exported>(caller, 'POST', '/session/string', { format });

/** Who a program is that logs in with the string, as its library does. */
const libraries: Record<string, (text: string) => Promise<string>> = {
  mtcute: async (text) => {
    const client = await mtcuteClient(scene.telegram.protocol);
    await client.importSession(text);
    const { id } = await client.getMe();
    await client.destroy();
    return String(id);
  },
  gramjs: (text) => whoIsGramJs(new StringSession(text)),
  // GramJS reads the strings of Telethon too.
  telethon: (text) => whoIsGramJs(new StringSession(text)),
  pyrogram: async (text) => {
    const bytes = Buffer.from(text, 'base64url');
    expect(bytes).toHaveLength(271);
    const session = new StringSession('');
    session.setDC(bytes.readUInt8(0), '127.0.0.1', 443);
    const key = new AuthKey();
    await key.setKey(bytes.subarray(6, 262));
    session.setAuthKey(key);
    return whoIsGramJs(session);
  },
};

async function whoIsGramJs(session: InstanceType<typeof StringSession>): Promise<string> {
  const client = gramJsClient(scene.telegram.protocol, 'full', session);
  await client.connect();
  const { id } = await client.getMe();
  await client.destroy();
  return id.toString();
}

const devices = async (): Promise<unknown[]> => scene.sandbox.call('GET', `/accounts/${ann}/devices`);

describe('POST /session/string', () => {
  it.each(Object.entries(libraries))(
    '[LG2.2] gives the login to %s, and has nothing of it any more',
    async (format, whoIs) => {
      const caller = await scene.connected();
      const before = await devices();
      const { status, body } = await exportLogin(caller, format);
      expect([status, body]).toEqual([200, { id: caller.id, format, string: expect.any(String) }]);
      expect(await devices()).toHaveLength(before.length);
      expect(await scene.read(caller)).toMatchObject({ isConnected: false });
      expect(await whoIs(body.string)).toBe(ann);
      expect(await exportLogin(caller, format)).toMatchObject({
        status: 500,
        body: { message: 'session not connected' },
      });
      await scene.restart();
      await scene.pass(60_000);
      expect(await whoIs(body.string)).toBe(ann);
      const { body: audit } = await scene.request<{ docs: object[] }>(caller, 'GET', '/session/events');
      expect(audit.docs).toContainEqual(
        expect.objectContaining({ type: 'LoginExported', data: expect.objectContaining({ login: 1, format }) }),
      );
      expect(JSON.stringify(audit)).not.toContain(body.string);
      await scene.scan(caller, ann);
      expect(await scene.read(caller, ({ isConnected }) => isConnected)).toMatchObject({ generatedId: ann });
    },
  );

  it('[LG2.4] refuses another format, and a session that is not connected', async () => {
    const caller = await scene.create();
    expect(await exportLogin(caller, 'telegram')).toMatchObject({
      status: 400,
      body: { message: 'format must be one of the following values: telethon, pyrogram, gramjs, mtcute' },
    });
    expect(await exportLogin(caller, 'gramjs')).toMatchObject({
      status: 500,
      body: { message: 'session not connected' },
    });
  });
});

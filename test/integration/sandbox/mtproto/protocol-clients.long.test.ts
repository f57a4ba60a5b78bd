import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProtocolServer, type RunningProtocolServer } from '../../../../sandbox/mtproto/protocol-server.ts';
import { Api, gramJsClient } from '../../../support/telegram-clients/gramjs.ts';
import { mtcuteClient } from '../../../support/telegram-clients/mtcute.ts';
import { tinyService } from '../../../support/telegram-clients/tiny-service.ts';

const bytes = Buffer.alloc(256 * 1024, 'telegram');
const tiny = tinyService({
  'contacts.getContactIDs': () => [1, 2, 3],
  'upload.getFile': () => ({ _: 'upload.file', type: { _: 'storage.filePartial' }, mtime: 1, bytes }),
  'upload.saveFilePart': ({ params }) => (params.bytes as Buffer).equals(bytes),
});
let server: RunningProtocolServer;

beforeAll(async () => {
  server = createProtocolServer({ service: tiny.service, dcs: [{ id: 2, port: 0 }] });
  await server.listen();
});
afterAll(() => server.close());

describe('GramJS', () => {
  it.each(['full', 'abridged', 'obfuscated'] as const)(
    'completes the handshake and calls over the %s transport',
    async (kind) => {
      const client = gramJsClient(server, kind);
      await client.connect();
      try {
        expect(tiny.calls.at(-1)).toMatchObject({ layer: 198, key: { device: { langCode: 'en' } } });
        const [user] = await client.invoke(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }));
        expect(user).toMatchObject({ className: 'User', firstName: 'Ann' });
        expect(await client.invoke(new Api.contacts.GetContactIDs({ hash: 0 as never }))).toEqual([1, 2, 3]);
        await expect(client.invoke(new Api.messages.GetAllDrafts())).rejects.toMatchObject({
          errorMessage: 'METHOD_INVALID',
        });
      } finally {
        await client.destroy();
      }
    },
  );

  it('uploads and downloads with many calls at a time', async () => {
    const client = gramJsClient(server, 'full');
    await client.connect();
    try {
      const location = new Api.InputTakeoutFileLocation();
      const parts = await Promise.all(
        Array.from({ length: 8 }, () =>
          client.invoke(new Api.upload.GetFile({ location, offset: 0 as never, limit: bytes.length })),
        ),
      );
      for (const part of parts) expect(bytes.equals((part as { bytes: Buffer }).bytes)).toBe(true);
      const saved = await client.invoke(new Api.upload.SaveFilePart({ fileId: 1 as never, filePart: 0, bytes }));
      expect(saved).toBe(true);
    } finally {
      await client.destroy();
    }
  });

  it('recovers from a changed salt', async () => {
    const client = gramJsClient(server, 'full');
    await client.connect();
    try {
      server.badSalt();
      expect(await client.invoke(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }))).toHaveLength(1);
    } finally {
      await client.destroy();
    }
  });
});

describe.each([
  ['permanent', false],
  ['temporary', true],
])('mtcute with %s keys', (_name, pfs) => {
  it('completes the handshake, calls, and recovers from a cut connection', async () => {
    const client = await mtcuteClient(server, { pfs });
    try {
      const call = () => client.call({ _: 'users.getUsers', id: [{ _: 'inputUserSelf' }] });
      expect(await call()).toMatchObject([{ firstName: 'Ann' }]);
      const before = tiny.calls.at(-1);
      expect(before).toMatchObject({ layer: 227 });
      await expect(client.call({ _: 'messages.getAllDrafts' })).rejects.toMatchObject({ text: 'METHOD_INVALID' });
      server.badSalt();
      expect(await call()).toHaveLength(1);
      server.cut();
      expect(await call()).toHaveLength(1);
      expect(tiny.calls.at(-1)?.key.id).toBe(before?.key.id);
      const bound = [...tiny.stored.values()].filter(({ boundTo }) => boundTo === before?.key.id);
      expect(bound.length > 0).toBe(pfs);
    } finally {
      await client.destroy();
    }
  });
});

it('clients continue with a server that was restarted with the same keys', async () => {
  const first = createProtocolServer({ service: tiny.service, dcs: [{ id: 2, port: 0 }] });
  await first.listen();
  const client = gramJsClient(first, 'abridged');
  await client.connect();
  const keyId = tiny.calls.at(-1)?.key.id ?? '';
  const [rsaKey, keys, port] = [
    first.rsaKeyPem,
    JSON.parse(JSON.stringify(first.storedKeys())),
    first.ports.get(2) ?? 0,
  ];
  expect(keys).toEqual([tiny.stored.get(keyId)]);
  await first.close();
  const second = createProtocolServer({ service: tiny.service, dcs: [{ id: 2, port }], rsaKey, keys });
  await second.listen();
  try {
    expect(second.fingerprint).toBe(first.fingerprint);
    expect(await client.invoke(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }))).toHaveLength(1);
    expect(tiny.calls.at(-1)).toMatchObject({ layer: 198, key: { id: keyId } });
    expect(second.stats().handshakes).toBe(0);
  } finally {
    await client.destroy();
    await second.close();
  }
});

it('none of this was reported as a defect', () => {
  expect(tiny.failures).toEqual([]);
});

import type { TelegramClient } from '@mtcute/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { control, openSandbox } from '../../../support/sandbox/control-client.ts';
import { mtcuteClient } from '../../../support/telegram-clients/mtcute.ts';

let sandbox: Sandbox;
let defects: string[];
const clients: TelegramClient[] = [];

beforeAll(async () => {
  ({ sandbox, defects } = await openSandbox({ differenceSlice: 10 }));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.destroy()));
  if (defects.length > 0) throw new Error(defects.join('\n'));
});
afterAll(() => sandbox.close());

async function loggedIn(userId: number, password?: string): Promise<TelegramClient> {
  const client = await mtcuteClient(sandbox.protocol);
  clients.push(client);
  await client.signInQr({
    onUrlUpdated: (link) => void control(sandbox, 'POST', '/qr/scan', { link, userId }),
    ...(password ? { password } : {}),
  });
  return client;
}

/** Waits for the first update. The login has started the update loop: starting another would deliver updates twice. */
async function listening(client: TelegramClient): Promise<void> {
  const received = new Set<string>();
  client.onNewMessage.add(({ text }) => void received.add(text));
  while (!received.has('ready?')) {
    await control(sandbox, 'POST', '/accounts/1002/messages', { peer: '@ann', text: 'ready?' });
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
}

describe('unmodified mtcute', () => {
  it('logs in by QR', async () => {
    const ann = await loggedIn(1001);
    expect(await ann.getMe()).toMatchObject({
      id: 1001,
      firstName: 'Ann',
      username: 'annlee',
      phoneNumber: '15550000001',
    });
  });

  it('logs in by QR in another data centre, with a password', async () => {
    const bob = await loggedIn(1002, 'hunter2');
    expect(await bob.getMe()).toMatchObject({ id: 1002, username: 'bobstone' });
  });

  it('sends and receives', async () => {
    const ann = await loggedIn(1001);
    const received = new Promise<string>((resolve) => {
      ann.onNewMessage.add(({ text }) => void (text === 'hello Ann' && resolve(text)));
    });
    await listening(ann);
    const { id } = await ann.sendText('bob', 'hello from mtcute');
    const { body } = await control(sandbox, 'GET', '/accounts/1001/messages?peer=1002&limit=1');
    expect(body).toMatchObject([{ id, text: 'hello from mtcute', out: true }]);
    await control(sandbox, 'POST', '/accounts/1002/messages', { peer: '@ann', text: 'hello Ann' });
    expect(await received).toBe('hello Ann');
  });

  it('gets missed updates in slices', async () => {
    const ann = await loggedIn(1001);
    const texts: string[] = [];
    let all: () => void = () => undefined;
    const caughtUp = new Promise<void>((resolve) => (all = resolve));
    ann.onNewMessage.add(({ text }) => {
      if (!text.startsWith('missed')) return;
      texts.push(text);
      if (texts.length === 35) all();
    });
    await listening(ann);
    await control(sandbox, 'POST', '/chaos', { loseUpdates: 1_000, userId: 1001 });
    for (let number = 1; number <= 35; number += 1) {
      await control(sandbox, 'POST', '/accounts/1002/messages', { peer: 1001, text: `missed ${number}` });
    }
    await control(sandbox, 'POST', '/chaos', { loseUpdates: 0 });
    // An update that is not lost shows the client the gap.
    await control(sandbox, 'POST', '/accounts/1002/messages', { peer: 1001, text: 'received' });
    await caughtUp;
    expect(texts).toEqual(Array.from({ length: 35 }, (_, index) => `missed ${index + 1}`));
    const slices = await control(sandbox, 'GET', '/calls?method=updates.getDifference&userId=1001');
    expect(
      slices.body.filter(({ answer }: { answer: string }) => answer === 'updates.differenceSlice').length,
    ).toBeGreaterThan(2);
  });

  it('receives every message once, also those pushed while it catches up', async () => {
    const ann = await loggedIn(1001);
    const texts: string[] = [];
    ann.onNewMessage.add(({ text }) => void (text.startsWith('once') && texts.push(text)));
    await listening(ann);
    const written: string[] = [];
    const write = async (peer: string, count: number): Promise<void> => {
      for (let left = count; left > 0; left -= 1) {
        const text = `once ${written.push(`once ${written.length}`) - 1}`;
        await control(sandbox, 'POST', '/accounts/1002/messages', { peer, text });
      }
    };
    await control(sandbox, 'POST', '/faults', { method: 'updates.getDifference', delayMs: 50, times: 4 });
    for (let round = 0; round < 4; round += 1) {
      await control(sandbox, 'POST', '/chaos', { loseUpdates: 2, userId: 1001 });
      for (const peer of ['1001', '-2001', '-1003001', '1001', '-2001', '-1003001']) await write(peer, 3);
      while (texts.length < written.length) await new Promise((resolve) => void setTimeout(resolve, 5));
    }
    expect(texts.toSorted()).toEqual(written.toSorted());
  });

  it('reads dialogs, history and members', async () => {
    const ann = await loggedIn(1001);
    const titles: string[] = [];
    for await (const { peer } of ann.iterDialogs()) titles.push(peer.displayName);
    expect(titles).toEqual(expect.arrayContaining(['Bob Stone', 'Family', 'Makers', 'Daily', 'Private notes']));
    const members = [];
    for await (const member of ann.iterChatMembers('makers', {})) members.push(member);
    expect(members).toHaveLength(250);
    const history = [];
    for await (const message of ann.iterHistory('daily')) history.push(message);
    expect(history).toHaveLength(260);
  });

  it('downloads a profile photo, and a large photo in its sizes', async () => {
    const ann = await loggedIn(1001);
    for (const name of ['me', 'bob']) {
      const { photo } = (await ann.getPeer(name)) as { photo: { small: never; big: never } | null };
      if (!photo) throw new Error(`${name} has no photo`);
      for (const size of [photo.small, photo.big]) {
        const bytes = await ann.downloadAsBuffer(size);
        expect(Buffer.from(bytes.subarray(0, 3)).toString('hex')).toBe('ffd8ff');
      }
    }
    const [message] = await ann.getMessages('daily', 200);
    const media = message?.media;
    if (media?.type !== 'photo') throw new Error('no photo');
    expect(media).toMatchObject({ width: 2560, height: 1707 });
    const bytes = await ann.downloadAsBuffer(media);
    expect(bytes.length).toBe(media.fileSize);
  });
});

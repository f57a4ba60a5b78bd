import bigInt from 'big-integer';
import telegram from 'telegram';
import passwords from 'telegram/Password.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { control, openSandbox } from '../../../support/sandbox/control-client.ts';
import { exportLoginToken, type GramJsClient, loggedInGramJs, scanQr } from '../../../support/sandbox/gramjs-login.ts';
import { Api, gramJsClient } from '../../../support/telegram-clients/gramjs.ts';

let sandbox: Sandbox;
let defects: string[];
const clients: GramJsClient[] = [];

beforeAll(async () => {
  ({ sandbox, defects } = await openSandbox());
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.destroy()));
  if (defects.length > 0) throw new Error(defects.join('\n'));
});
afterAll(() => sandbox.close());

async function connected(): Promise<GramJsClient> {
  const client = gramJsClient(sandbox.protocol, 'full');
  clients.push(client);
  await client.connect();
  return client;
}

async function loggedIn(userId: number): Promise<GramJsClient> {
  const client = await loggedInGramJs(sandbox, userId);
  clients.push(client);
  return client;
}

/** GramJS refuses usernames of three letters without asking the server. */
async function resolved(client: GramJsClient, username: string) {
  const { users } = await client.invoke(new Api.contacts.ResolveUsername({ username }));
  const [user] = users;
  if (!(user instanceof Api.User) || !user.accessHash) throw new Error(`no ${username}`);
  return new Api.InputPeerUser({ userId: user.id, accessHash: user.accessHash });
}

/** The result of `pick` for the first update for which it is not undefined. */
function next<Value>(client: GramJsClient, pick: (update: never) => Value | undefined): Promise<Value> {
  return new Promise((resolve) => {
    client.addEventHandler((update: unknown) => {
      const value = pick(update as never);
      if (value !== undefined) resolve(value);
    });
  });
}

const textOf = (update: { message?: string | { message?: string } }): string | undefined =>
  typeof update.message === 'string' ? update.message : update.message?.message;

describe('unmodified GramJS', () => {
  it('logs in by QR', async () => {
    const client = await loggedIn(1001);
    const me = await client.getMe();
    expect(me).toMatchObject({
      firstName: 'Ann',
      lastName: 'Lee',
      username: 'annlee',
      phone: '15550000001',
      self: true,
    });
  });

  it('migrates to the data centre of the account, and gives the password', async () => {
    const client = await connected();
    await scanQr(sandbox, client, 1002);
    const migrate = await exportLoginToken(client);
    if (!(migrate instanceof Api.auth.LoginTokenMigrateTo)) throw new Error(`no migration but ${migrate.className}`);
    expect(migrate.dcId).toBe(4);
    await client._switchDC(migrate.dcId);
    const importing = client.invoke(new Api.auth.ImportLoginToken({ token: migrate.token }));
    await expect(importing).rejects.toMatchObject({ errorMessage: 'SESSION_PASSWORD_NEEDED' });

    const give = async (password: string) => {
      const question = await client.invoke(new Api.account.GetPassword());
      expect(question.hint).toBe('the usual');
      return client.invoke(new Api.auth.CheckPassword({ password: await passwords.computeCheck(question, password) }));
    };
    await expect(give('hunter3')).rejects.toMatchObject({ errorMessage: 'PASSWORD_HASH_INVALID' });
    expect((await give('hunter2')).className).toBe('auth.Authorization');
    expect(await client.getMe()).toMatchObject({ username: 'bobstone' });
  });

  it('sends and receives, with entities, replies and the short forms', async () => {
    const ann = await loggedIn(1001);
    const bob = await resolved(ann, 'bob');
    const sent = await ann.sendMessage(bob, { message: '<b>hello</b> from GramJS', parseMode: 'html' });
    const { body } = await control(sandbox, 'GET', '/accounts/1002/messages?peer=1001&limit=1');
    expect(body).toMatchObject([
      { text: 'hello from GramJS', out: false, entities: [{ _: 'messageEntityBold', offset: 0, length: 5 }] },
    ]);
    const received = next(ann, (update: never) => (textOf(update) === 'hello Ann' ? update : undefined));
    await control(sandbox, 'POST', '/accounts/1002/messages', { peer: 1001, text: 'hello Ann', replyTo: body[0].id });
    expect(await received).toMatchObject({ className: 'UpdateShortMessage', replyTo: { replyToMsgId: sent.id } });
  });

  it('receives edits, deletions, reads and typing', async () => {
    const ann = await loggedIn(1001);
    const bob = await resolved(ann, 'bob');
    const mine = await ann.sendMessage(bob, { message: 'read me' });
    const read = next(ann, (update: { className: string; maxId?: number }) =>
      update.className === 'UpdateReadHistoryOutbox' ? update.maxId : undefined,
    );
    await control(sandbox, 'POST', '/accounts/1002/read', { peer: 1001 });
    expect(await read).toBe(mine.id);

    const { body } = await control(sandbox, 'POST', '/accounts/1002/messages', { peer: 1001, text: 'first' });
    const edited = next(ann, (update: { className: string; message?: { message: string } }) =>
      update.className === 'UpdateEditMessage' ? update.message?.message : undefined,
    );
    await control(sandbox, 'PATCH', `/accounts/1002/messages/1001/${body.messageId}`, { text: 'second' });
    expect(await edited).toBe('second');
    const deleted = next(ann, (update: { className: string; messages?: number[] }) =>
      update.className === 'UpdateDeleteMessages' ? update.messages : undefined,
    );
    await control(sandbox, 'DELETE', `/accounts/1002/messages/1001/${body.messageId}`);
    expect(await deleted).toHaveLength(1);

    await ann.invoke(new Api.messages.SetTyping({ peer: bob, action: new Api.SendMessageTypingAction() }));
    const typing = await control(sandbox, 'GET', '/accounts/1002/typing?peer=1001');
    expect(typing.body).toMatchObject([{ from: '1001', action: 'sendMessageTypingAction' }]);
  });

  it('lists dialogs, members and history in pages', async () => {
    const ann = await loggedIn(1001);
    const dialogs = await ann.getDialogs({});
    expect(dialogs.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Family', 'Makers', 'Quiet room', 'Read only', 'Slow', 'Daily', 'Private notes']),
    );
    expect(dialogs.map(({ title }) => title)).not.toContain('Strangers');
    expect(await ann.getParticipants('makers', {})).toHaveLength(250);
    const history = await ann.getMessages('daily', { limit: 300 });
    expect(history.filter((message) => message !== undefined)).toHaveLength(260);
    await expect(ann.getParticipants('helperbot', {})).resolves.toBeDefined();
  });

  it('downloads profile photos, also from another data centre', async () => {
    const ann = await loggedIn(1001);
    const peers = ['me', await resolved(ann, 'bob'), 'makers'];
    for (const peer of peers) {
      for (const isBig of [false, true]) {
        const bytes = (await ann.downloadProfilePhoto(peer, { isBig })) as Buffer;
        expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
      }
    }
  });

  it('downloads a whole video from another data centre', async () => {
    const ann = await loggedIn(1001);
    const [message] = await ann.getMessages('daily', { ids: [210] });
    const media = message?.media as InstanceType<typeof telegram.Api.MessageMediaDocument>;
    const document = media.document as InstanceType<typeof telegram.Api.Document>;
    expect(document.dcId).toBe(4);
    const bytes = (await ann.downloadMedia(message as never)) as Buffer;
    expect(bytes.length).toBe(3_466_798);
  });

  it('gets SESSION_REVOKED after its login was removed', async () => {
    const cara = await loggedIn(1003);
    const { body: devices } = await control(sandbox, 'GET', '/accounts/1003/devices');
    expect(devices).toHaveLength(1);
    expect(await control(sandbox, 'DELETE', `/accounts/1003/devices/${devices[0].id}`)).toMatchObject({ status: 200 });
    await expect(cara.invoke(new Api.updates.GetState())).rejects.toMatchObject({ errorMessage: 'SESSION_REVOKED' });
  });

  it('understands errors by their Telegram names', async () => {
    const ann = await loggedIn(1001);
    await expect(ann.sendMessage('readonly', { message: 'x' })).rejects.toThrow(/No user has|USERNAME/);
    const chats = await ann.getDialogs({});
    const readOnly = chats.find(({ title }) => title === 'Read only')?.inputEntity;
    await expect(ann.sendMessage(readOnly as never, { message: 'x' })).rejects.toMatchObject({
      errorMessage: 'CHAT_WRITE_FORBIDDEN',
    });
    const randomId = bigInt(77);
    const bob = await resolved(ann, 'bob');
    const send = () => ann.invoke(new Api.messages.SendMessage({ peer: bob, message: 'once', randomId }));
    await send();
    const [named, repeated] = ((await send()) as unknown as { updates: object[] }).updates;
    expect(named).toMatchObject({ className: 'UpdateMessageID', randomId });
    expect(repeated).toMatchObject({ className: 'UpdateNewMessage', message: { message: 'once' }, ptsCount: 0 });
  });
});

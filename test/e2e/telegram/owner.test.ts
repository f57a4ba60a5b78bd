import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRefused } from '../../../src/telegram/gramjs/raw/refused-methods.ts';
import { methodNames } from '../../../src/telegram/gramjs/raw/schema.ts';
import { useOwner } from '../../support/e2e/owner-scene.ts';
import { ann, bob, openScene, type Scene } from '../../support/e2e/scene.ts';
import { refused } from '../../support/e2e/writing-scene.ts';

/** `POST /telegram/{method}`: who may call it, what is refused, recorded, sent and shown. */

const owner = useOwner();
const { call, control } = owner;
const callsOf = (method: string): Promise<{ params: unknown; error: unknown }[]> =>
  control('GET', `/calls?method=${method}`);
interface Found {
  messages: object[];
  users: object[];
  count?: number;
  next_rate?: number;
}
interface Entry {
  type: string;
  data: Record<string, unknown>;
}
const recorded = async (): Promise<Entry[]> => {
  const { body } = await owner.scene.request<{ docs: Entry[] }>(owner.caller, 'GET', '/session/events?limit=1000');
  return body.docs.filter(({ type }) => type === 'MethodCalled');
};
const atBob = (): Promise<{ text: string; id: number }[]> =>
  control('GET', `/accounts/${bob}/messages?peer=${ann}&limit=5`);

describe('what is refused', () => {
  it('[RM1.4] every refused method of the layer, and Telegram hears of none', async () => {
    const methods = methodNames().filter(isRefused);
    expect(methods.length).toBeGreaterThan(100);
    const before = (await control<unknown[]>('GET', '/calls?userId=1001')).length;
    for (const method of methods) expect(await call(method)).toMatchObject(refused(400, `${method} is refused`));
    expect(await control<unknown[]>('GET', '/calls?userId=1001')).toHaveLength(before);
  });

  it.each(['messages.nonsense', 'help', 'help.GetConfig', 'inputPeerSelf', '__proto__', 'ping'])(
    '[RM1.3] %s is no method',
    async (method) => {
      expect(await call(method)).toMatchObject(refused(404, 'method not found'));
    },
  );

  it('[RM1.3] wrong parameters are named together, nothing is sent and nothing recorded', async () => {
    const before = [(await callsOf('messages.sendMessage')).length, (await recorded()).length];
    expect(await call('messages.sendMessage', { peer: '999', message: 5, silent: 'yes' })).toMatchObject(
      refused(
        400,
        'params.silent must be a boolean\nparams.peer must be a known chat\nparams.message must be a string',
      ),
    );
    expect(await call('help.getNearestDc', 'nothing' as never)).toMatchObject(refused(400, 'params must be an object'));
    expect([(await callsOf('messages.sendMessage')).length, (await recorded()).length]).toEqual(before);
  });
});

describe('what is sent', () => {
  it('[RM1.4] a press of a button, without a password alone', async () => {
    const bot = '1004';
    await control('POST', `/accounts/${ann}/messages`, { peer: bot, text: '/buttons' });
    const [newest] = await control<{ id: number }[]>('GET', `/accounts/${ann}/messages?peer=${bot}&limit=1`);
    const { body } = await call<{ messages: { reply_markup: { rows: { buttons: { data: string }[] }[] } }[] }>(
      'messages.getMessages',
      { id: [{ _: 'inputMessageID', id: newest?.id }] },
    );
    const data = body.messages[0]?.reply_markup.rows[0]?.buttons[0]?.data;
    const press = { peer: bot, msg_id: newest?.id, data };
    expect(await call('messages.getBotCallbackAnswer', press)).toMatchObject({
      status: 200,
      body: { _: 'messages.botCallbackAnswer', message: 'This is an alert.' },
    });
    const before = (await callsOf('messages.getBotCallbackAnswer')).length;
    expect(
      await call('messages.getBotCallbackAnswer', { ...press, password: { _: 'inputCheckPasswordEmpty' } }),
    ).toMatchObject(refused(400, 'params.password is refused'));
    expect(await callsOf('messages.getBotCallbackAnswer')).toHaveLength(before);
  });

  it('[RM1.1] [RM1.8] a message arrives; its updates leave no gap', async () => {
    const before = (await callsOf('updates.getDifference')).length;
    const { status, body } = await call('messages.sendMessage', { peer: bob, message: 'from a method' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ _: 'updateShortSentMessage', out: true });
    expect((await atBob())[0]?.text).toBe('from a method');
    // The answer was counted: the next push follows it, and nothing has to be fetched.
    await control('POST', `/accounts/${bob}/messages`, { peer: ann, text: 'an answer' });
    await owner.scene.pass(10_000);
    expect(await callsOf('updates.getDifference')).toHaveLength(before);
  });

  it('[RM1.1] a group is made with its users, whose updates are those of the answer', async () => {
    const before = (await callsOf('updates.getDifference')).length;
    const made = await call<{ updates: { chats: { id: string }[] } }>('messages.createChat', {
      users: [bob],
      title: 'Made by a method',
    });
    expect(made.body).toMatchObject({ _: 'messages.invitedUsers', missing_invitees: [] });
    const chatId = `-${made.body.updates.chats[0]?.id}`;
    const read = await owner.scene.request(owner.caller, 'GET', `/group/${chatId}`);
    expect(read).toMatchObject({ status: 200, body: { name: 'Made by a method' } });
    await control('POST', `/accounts/${bob}/messages`, { peer: ann, text: 'after the group' });
    await owner.scene.pass(10_000);
    expect(await callsOf('updates.getDifference')).toHaveLength(before);
  });

  it('[RM1.8] errors are those of Telegram', async () => {
    const { status, body } = await call('account.checkUsername', { username: 'bobstone' });
    expect({ status, body }).toMatchObject(refused(500, '400: USERNAME_OCCUPIED (caused by account.CheckUsername)'));
    await control('POST', '/faults', { method: 'help.getInviteText', error: 'FLOOD_WAIT_120', times: 1 });
    const flood = await call('help.getInviteText');
    expect(flood).toMatchObject(refused(500, 'A wait of 120 seconds is required (caused by help.GetInviteText)'));
    expect(flood.headers.get('retry-after')).toBe('120');
  });

  it('[RM1.8] a short wait is waited out', async () => {
    await control('POST', '/faults', { method: 'help.getInviteText', error: 'FLOOD_WAIT_5', times: 1 });
    expect(await owner.scene.whilePassing(call('help.getInviteText'))).toMatchObject({ status: 200 });
  });

  it('[RM1.8] what is not answered ends after 240 s', async () => {
    await control('POST', '/faults', { method: 'help.getInviteText', dropAnswer: true, times: 1000 });
    const late = await owner.scene.whilePassing(call('help.getInviteText'));
    expect(late).toMatchObject(refused(500, 'telegram did not answer in time'));
  });
});

describe('login codes', () => {
  const chat = {
    peer: '777000',
    offset_id: 0,
    offset_date: 0,
    add_offset: 0,
    limit: 10,
    max_id: 0,
    min_id: 0,
    hash: '0',
  };
  it('[RM1.2] [RM1.5] their chat can be named: what was written in it is empty, and found by no words', async () => {
    // Another login of the account, of which 777000 tells.
    await owner.scene.connected();
    const { body } = await call<Found>('messages.getHistory', chat);
    expect(body.messages.length).toBeGreaterThan(0);
    expect(new Set(body.messages.map((message) => Object.keys(message).toSorted().join()))).toEqual(
      new Set(['_,id,peer_id']),
    );
    const words = { peer: '777000', q: 'login', filter: { _: 'inputMessagesFilterEmpty' }, min_date: 0, max_date: 0 };
    const { offset_date: _date, ...page } = chat;
    const { body: found } = await call<Found>('messages.search', { ...page, ...words });
    expect({ ...found, count: found.count ?? 0 }).toMatchObject({ messages: [], users: [], count: 0 });
    expect(await call('messages.readHistory', { peer: '777000', max_id: 0 })).toMatchObject({ status: 200 });
  });

  it('[RM1.5] what it writes is empty in every list', async () => {
    // Another login of the account, of which 777000 tells.
    await owner.scene.connected();
    const dialogs = await call<{ dialogs: { peer: { user_id?: string } }[]; messages: object[] }>(
      'messages.getDialogs',
      {
        offset_date: 0,
        offset_id: 0,
        offset_peer: { _: 'inputPeerEmpty' },
        limit: 100,
        hash: '0',
      },
    );
    expect(dialogs.body.dialogs.map(({ peer }) => peer.user_id)).toContain('777000');
    const text = JSON.stringify(dialogs.body.messages);
    expect(text).toContain('"messageEmpty"');
    expect(text).not.toMatch(/new login|login code|We detected/i);
    expect(dialogs.body.messages).toContainEqual({
      _: 'messageEmpty',
      id: expect.any(Number),
      peer_id: { _: 'peerUser', user_id: '777000' },
    });
  });

  it('[RM1.5] no search in all chats says that it wrote some words', async () => {
    await owner.scene.connected();
    const words = { q: 'login', filter: { _: 'inputMessagesFilterEmpty' }, min_date: 0, max_date: 0, offset_id: 0 };
    const everywhere = { ...words, offset_rate: 0, offset_peer: { _: 'inputPeerEmpty' } };
    const empty = { _: 'inputPeerEmpty' };
    const oldWay = { ...words, peer: empty, add_offset: 0, max_id: 0, min_id: 0, hash: '0' };
    for (const limit of [0, 1, 100]) {
      for (const [method, params] of [
        ['messages.searchGlobal', everywhere],
        ['messages.search', oldWay],
      ] as const) {
        const { status, body } = await call<Found>(method, { ...params, limit });
        const { messages, users, count = 0, next_rate } = body;
        expect({ status, messages, users, count, next_rate }).toEqual({
          status: 200,
          messages: [],
          users: [],
          count: 0,
          next_rate: undefined,
        });
      }
    }
    const before = await callsOf('messages.searchGlobal');
    const { body } = await owner.scene.request(owner.caller, 'GET', '/chat/search?q=login&limit=1');
    expect(body).toEqual({ docs: [], before: '' });
    expect((await callsOf('messages.searchGlobal')).length).toBeGreaterThan(before.length + 1);
  });

  it('[RM1.9] its messages are not copied, translated or transcribed under the name of another chat', async () => {
    await owner.scene.connected();
    const first = { offset_date: 0, offset_id: 0, offset_peer: { _: 'inputPeerEmpty' }, limit: 100, hash: '0' };
    const { body } = await call<{ messages: { _: string; id: number }[] }>('messages.getDialogs', first);
    const id = body.messages.find((message) => message._ === 'messageEmpty')?.id ?? 0;
    expect(id).toBeGreaterThan(0);
    const own = { _: 'inputPeerSelf' };
    const copy = { from_peer: own, to_peer: bob, id: [id], drop_author: true };
    const none = "must not name messages of Telegram's own accounts";
    expect(await call('messages.forwardMessages', copy)).toMatchObject(refused(400, `params.id ${none}`));
    expect(await call('messages.translateText', { peer: bob, id: [id], to_lang: 'en' })).toMatchObject(
      refused(400, `params.id ${none}`),
    );
    expect(await call('messages.transcribeAudio', { peer: bob, msg_id: id })).toMatchObject(
      refused(400, `params.msg_id ${none}`),
    );
  });
});

describe('what is recorded', () => {
  it('[RM1.7] the method and by whom, before it is sent, and no parameters', async () => {
    const before = (await recorded()).length;
    await control('POST', '/faults', { method: 'account.checkUsername', error: 'USERNAME_INVALID', times: 1 });
    await call('account.checkUsername', { username: 'a_secret_name' });
    const entries = await recorded();
    expect(entries).toHaveLength(before + 1);
    expect(entries.at(-1)).toMatchObject({
      type: 'MethodCalled',
      data: { method: 'account.checkUsername', by: 'owner' },
    });
    expect(JSON.stringify(entries)).not.toContain('a_secret_name');
  });
});

describe('who may call', () => {
  const key = 'a key of the owner of the service';
  let scene: Scene;
  let id: string;
  beforeAll(async () => {
    scene = await openScene({ environment: { API_KEY: key } });
    const { body } = await scene.gateway.http.request('POST', '/session', { headers: { 'x-api-key': key } });
    const { id: made, sessionId } = body as { id: string; sessionId: string };
    id = made;
    const caller = { id, sessionId, headers: { id, 'session-id': sessionId } };
    await scene.scan(caller, ann);
    await scene.read(caller, ({ isConnected }) => isConnected);
    headersOfSession = caller.headers;
  });
  afterAll(() => scene.close());
  let headersOfSession: Record<string, string>;
  const ask = (headers: Record<string, string>, method = 'help.getNearestDc') =>
    scene.gateway.http.request('POST', `/telegram/${method}`, { headers, body: {} });

  it('[RM1.6] the API key, with a session’s id', async () => {
    const nearest = { status: 200, body: { _: 'nearestDc' } };
    expect(await ask({ id, 'x-api-key': key })).toMatchObject(nearest);
    expect(await ask({ id, authorization: `Bearer ${key}` })).toMatchObject(nearest);
    expect((await ask({ id, 'x-api-key': key })).headers.get('cache-control')).toBe('no-store');
  });

  it('[RM1.6] nobody else, the session neither', async () => {
    expect(await ask(headersOfSession)).toMatchObject(refused(401, 'invalid api key'));
    expect(await ask({ id, 'x-api-key': `${key}!` })).toMatchObject(refused(401, 'invalid api key'));
    expect(await ask({ ...headersOfSession, 'x-api-key': key })).toMatchObject(
      refused(403, 'session-id is not accepted here'),
    );
    expect(await ask({ 'x-api-key': key })).toMatchObject(refused(400, 'invalid header'));
    expect(await ask({ 'x-api-key': key, id: 'unknown' })).toMatchObject(refused(404, 'session not found'));
  });

  it('[RM1.6] a session that is not connected', async () => {
    const { body } = await scene.gateway.http.request('POST', '/session', { headers: { 'x-api-key': key } });
    expect(await ask({ id: String(body['id']), 'x-api-key': key })).toMatchObject(
      refused(500, 'session not connected'),
    );
  });
});

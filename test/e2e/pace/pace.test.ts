import { beforeEach, describe, expect, it } from 'vitest';
import { bob, type Caller } from '../../support/e2e/scene.ts';
import { refused, useWriting } from '../../support/e2e/writing-scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';
import { failureOf } from '../../support/kit/failure-of.ts';

/** The pace of an account, through HTTP. */

const writing = useWriting();
const { newText, send, timesSeen } = writing;
const ask = (method: string, path: string, body?: object): Promise<Answer> =>
  writing.scene.request(writing.caller, method, path, body);
const setPace = (pace: object | null): Promise<Answer> => ask('PATCH', '/session', { pace });
const used = async (): Promise<unknown> => (await ask('GET', '/session/pace')).body['lastMinute'];
const minute = 60_001;

beforeEach(async () => {
  await setPace(null);
  // What earlier tests have sent counts no more.
  await writing.scene.pass(minute);
});

describe('a pace', () => {
  it('[OS7.1] is off by default, set, and turned off with null', async () => {
    const { id } = writing.caller;
    const none = { id, pace: null, waiting: 0, nextTurn: '', lastMinute: 0, newChats: 0 };
    expect((await ask('GET', '/session/pace')).body).toEqual(none);
    const pace = { perMinute: 20, newChatsPerDay: 10 };
    expect((await setPace(pace)).body).toEqual({ id, externalId: '', label: '', pace });
    expect((await ask('PATCH', '/session', { label: 'Desk' })).body).toMatchObject({ label: 'Desk', pace });
    expect((await setPace({ perMinute: 5 })).body).toMatchObject({ pace: { perMinute: 5 } });
    expect((await setPace(null)).body).toMatchObject({ pace: null });
    expect((await ask('GET', '/session/pace')).body).toEqual(none);
    const { body: audit } = await ask('GET', '/session/events');
    const facts = (audit['docs'] as { type: string; data: object }[]).filter(({ type }) => type === 'PaceSet');
    expect(facts.map(({ data }) => data)).toMatchObject([{}, { pace }, { pace: { perMinute: 5 } }, { pace: null }]);
  });

  it('[OS7.1] is set with the API key, too', async () => {
    const { http } = writing.scene.gateway;
    const path = `/sessions/${writing.caller.id}`;
    const set = await http.request('PATCH', path, { body: { pace: { perMinute: 7 } } });
    expect(set).toMatchObject({ status: 200, body: { pace: { perMinute: 7 } } });
    expect((await ask('GET', '/session/pace')).body).toMatchObject({ pace: { perMinute: 7 } });
  });

  it.each<[unknown, string]>([
    [{}, 'pace must have perMinute or newChatsPerDay'],
    [{ perMinute: 0 }, 'pace.perMinute must be between 1 and 1000'],
    [{ perMinute: 1.5 }, 'pace.perMinute must be an integer'],
    [{ newChatsPerDay: '5' }, 'pace.newChatsPerDay must be a number'],
    ['fast', 'pace must be an object'],
  ])('[OS7.1] %j is refused', async (pace, message) => {
    expect(await setPace(pace as object)).toMatchObject(refused(400, message));
  });

  it('[OS7.1] counts every message of every endpoint', async () => {
    const text = newText();
    const first = await send({ user: bob, text });
    await setPace({ perMinute: 100 });
    const source = { user: bob };
    const messageIds = [String(first.body['messageId'])];
    const item = { type: 'document', document: { data: 'eA==', name: 'x.txt', mimetype: 'text/plain', size: 1 } };
    const sent: [count: number, request: () => Promise<Answer>][] = [
      [1, () => send({ user: bob, text: newText() })],
      [1, () => send({ user: bob, type: 'location', location: { latitude: 1, longitude: 2 } })],
      [2, () => send({ user: bob, type: 'album', album: { items: [item, item] } })],
      [1, () => ask('POST', '/message/forward', { from: source, messageIds, user: bob })],
      [
        1,
        () => {
          const sendAt = new Date(writing.scene.clock.now() + 3_600_000).toISOString();
          return send({ user: bob, text: newText(), sendAt });
        },
      ],
      [1, () => call('messages.sendMessage', { peer: bob, message: newText() })],
      [0, () => call('help.getNearestDc', {})],
      [0, () => ask('POST', '/typing', { user: bob, type: 'typing' })],
    ];
    let total = 0;
    for (const [count, request] of sent) {
      const answer = await writing.scene.whilePassing(request());
      expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
      total += count;
      expect(await used()).toBe(total);
    }
  });

  it('[OS7.1] a send waits for its turn, and is not late for it (MS6)', async () => {
    await setPace({ perMinute: 1 });
    const texts = [newText(), newText(), newText()];
    const answers = texts.map((text) => send({ user: bob, text }));
    await writing.scene.pass(1_000);
    const seen = async (): Promise<number> =>
      (await Promise.all(texts.map((text) => timesSeen(text, bob)))).reduce((sum, times) => sum + times, 0);
    expect(await seen()).toBe(1);
    expect((await ask('GET', '/session/pace')).body).toMatchObject({ waiting: 2, lastMinute: 1 });
    await writing.scene.pass(minute);
    expect(await seen()).toBe(2);
    expect((await writing.scene.whilePassing(Promise.all(answers))).map(({ status }) => status)).toEqual([
      200, 200, 200,
    ]);
  });

  it('[OS7.3] a turn that is too far away is 429 with Retry-After, for a raw method, too', async () => {
    await setPace({ perMinute: 1 });
    const answers = Array.from({ length: 4 }, () => send({ user: bob, text: newText() }));
    await writing.scene.pass(0);
    answers.push(send({ user: bob, text: newText() }));
    await writing.scene.pass(0);
    const late = await send({ user: bob, text: newText() });
    const seconds = Number(late.headers.get('retry-after'));
    expect(late).toMatchObject(refused(429, `the next turn of this account’s pace is in ${seconds} seconds`));
    expect(seconds).toBeGreaterThan(240);
    expect((await call('messages.sendMessage', { peer: bob, message: newText() })).status).toBe(429);
    await writing.scene.whilePassing(Promise.all(answers));
  });

  it('[OS7.4] a caller that hangs up gives its turn up, with a key, too', async () => {
    await setPace({ perMinute: 1 });
    await send({ user: bob, text: newText() });
    const text = newText();
    const hangUp = new AbortController();
    const keyed = (signal?: AbortSignal): Promise<Response> =>
      fetch(`${writing.scene.gateway.url}/message`, {
        method: 'POST',
        headers: { ...writing.caller.headers, 'content-type': 'application/json', 'idempotency-key': text },
        body: JSON.stringify({ user: bob, type: 'text', text }),
        ...(signal && { signal }),
      });
    const gone = failureOf(keyed(hangUp.signal));
    await writing.scene.pass(0);
    // Another request with the key waits for the same send, and takes it over.
    const stays = keyed();
    await writing.scene.pass(0);
    hangUp.abort();
    expect(await gone).toMatchObject({ name: 'AbortError' });
    await writing.scene.pass(0);
    expect((await ask('GET', '/session/pace')).body).toMatchObject({ waiting: 1 });
    expect((await writing.scene.whilePassing(stays)).status).toBe(200);
    expect(await timesSeen(text, bob)).toBe(1);
  });

  it('[OS7.6] chats without messages are counted: a day has room for so many', async () => {
    const { sandbox } = writing.scene;
    const people: string[] = [];
    for (const name of ['new1', 'new2']) {
      const account = { firstName: name, username: `${name}person`, phone: `17770000${people.length}00` };
      people.push((await sandbox.call<{ userId: string }>('POST', '/accounts', account)).userId);
    }
    await setPace({ newChatsPerDay: 1 });
    const write = (name: string): Promise<Answer> => send({ username: `${name}person`, text: newText() });
    expect((await write('new1')).status).toBe(200);
    expect((await write('new1')).status).toBe(200);
    expect((await send({ user: bob, text: newText() })).status).toBe(200);
    const refusal = await write('new2');
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '86401']);
    const raw = await call('messages.sendMessage', { peer: people[1] ?? '', message: 'x' });
    expect([raw.status, raw.body]).toEqual([429, refusal.body]);
    // One who has written before is not a new chat.
    await sandbox.call('POST', `/accounts/${people[1]}/messages`, { peer: '1001', text: 'Hello' });
    expect((await write('new2')).status).toBe(200);
    expect((await ask('GET', '/session/pace')).body).toMatchObject({ newChats: 1 });
  });

  it('[OS7.2] is counted from after a crash', async () => {
    const { scene } = writing;
    await setPace({ perMinute: 2 });
    await send({ user: bob, text: newText() });
    await send({ user: bob, text: newText() });
    await scene.restart();
    await scene.whilePassing(scene.read(writing.caller, ({ isConnected }) => isConnected));
    expect((await ask('GET', '/session/pace')).body).toMatchObject({ lastMinute: 2, waiting: 0 });
    const text = newText();
    const third = send({ user: bob, text });
    await scene.pass(1_000);
    expect(await timesSeen(text, bob)).toBe(0);
    expect((await scene.whilePassing(third)).status).toBe(200);
    expect(await timesSeen(text, bob)).toBe(1);
  });
});

const call = (method: string, params: object, { id }: Pick<Caller, 'id'> = writing.caller): Promise<Answer> =>
  writing.scene.gateway.http.request('POST', `/telegram/${method}`, { headers: { id }, body: { params } });

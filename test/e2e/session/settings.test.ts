import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import type { Answer } from '../../support/gateway/gateway.ts';

/** A session's settings, at its creation and later: what is taken, and what is refused. */

let scene: Scene;
let caller: Caller;
beforeAll(async () => {
  scene = await openScene();
  caller = await scene.create();
});
afterAll(() => scene.close());

describe('the webhook', () => {
  const set = (body: unknown, method = 'PUT'): Promise<Answer> =>
    scene.request(caller, method, '/session/webhook', body);
  const shown = async (): Promise<unknown> => (await scene.read(caller))['webhook'];
  const off = { url: '', token: '' };
  const pair = 'url and token must be both filled, or both empty to turn the webhook off';
  const noUrl = 'url must be an http or https url';

  it('[WH2.2] a token that no header can carry is refused', async () => {
    const refused = { status: 400, body: { message: 'token must be printable ASCII' } };
    expect(await set({ url: 'https://hook.example', token: 'tøken' })).toMatchObject(refused);
  });

  it.each(['PUT', 'POST'])('[WH1.1] %s sets it and turns it off', async (method) => {
    const webhook = { url: `https://hook.example/${method}?a=b`, token: 't0ken +/=' };
    expect(await set(webhook, method)).toMatchObject({ status: 200, body: { id: caller.id, webhook } });
    expect(await shown()).toEqual(webhook);
    expect(await scene.request(caller, 'GET', '/session/webhook')).toMatchObject({ status: 200, body: { webhook } });
    expect(await set(off, method)).toMatchObject({ status: 200, body: { id: caller.id, webhook: off } });
    expect(await shown()).toEqual(off);
    expect(await set(webhook, method)).toMatchObject({ status: 200 });
    expect(await set({}, method)).toMatchObject({ status: 200, body: { webhook: off } });
  });

  it.each<[unknown, string]>([
    [{ url: 'https://hook.example/' }, pair],
    [{ token: 'x' }, pair],
    [{ url: '', token: 'x' }, pair],
    [{ url: 'https://hook.example/', token: null }, pair],
    [{ url: 'ftp://hook.example/', token: 'x' }, noUrl],
    [{ url: 'hook.example', token: 'x' }, noUrl],
    [{ url: 'javascript:alert(1)', token: 'x' }, noUrl],
    [{ url: 'ftp://hook.example/' }, `${pair}\n${noUrl}`],
    [{ url: 5, token: true }, 'url must be a string\ntoken must be a string'],
  ])('[WH1.1] %j is refused', async (body, message) => {
    const before = await shown();
    const answer = await set(body);
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message }]);
    expect(await shown()).toEqual(before);
  });

  it('[SE1.1] at creation it is checked like there, by its path', async () => {
    const refused = async (webhook: unknown): Promise<unknown> =>
      (await scene.gateway.http.request('POST', '/session', { body: { webhook } })).body['message'];
    expect(await refused({ url: 'https://hook.example/' })).toBe(
      'webhook.url and webhook.token must be both filled, or both empty to turn the webhook off',
    );
    expect(await refused({ url: 'x', token: 'y' })).toBe('webhook.url must be an http or https url');
    expect(await refused('https://hook.example/')).toBe('webhook must be an object');
  });
});

describe('creation', () => {
  it.each<[unknown, string]>([
    [{ name: 5 }, 'name must be a string'],
    [{ metadata: 'x' }, 'metadata must be an object'],
    [{ metadata: { a: 1, b: 'two' } }, 'metadata.a must be a string'],
    [
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_value, index) => [`k${index}`, 'v'])) },
      'metadata must have at most 16 entries',
    ],
    [
      { name: [], metadata: [], webhook: [] },
      'name must be a string\nmetadata must be an object\nwebhook must be an object',
    ],
  ])('[SE1.1] %j is refused', async (body, message) => {
    const answer = await scene.gateway.http.request('POST', '/session', { body });
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message }]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProxyUnusableError } from '../../../../actors/ports/telegram-session.ts';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp();
});
afterEach(() => gate.close());

const url = 'socks5://ann:secret@proxy.example';
const shown = { url: 'socks5://proxy.example:1080' };
const refused = (message: string) => ({ status: 400, body: { statusCode: 400, message } });

describe('PUT /session/proxy', () => {
  it('[LG3.2] sets the proxy, shows it without its login, and turns it off', async () => {
    const headers = await gate.session();
    const { id } = headers;
    const put = (body: object) => gate.call('PUT', '/session/proxy', { headers, body });
    expect(await put({ url })).toMatchObject({ status: 200, body: { id, proxy: shown } });
    expect((await gate.call('GET', '/session', { headers })).body['proxy']).toEqual(shown);
    expect(await put({ url: '' })).toMatchObject({ status: 200, body: { id, proxy: { url: '' } } });
    expect((await gate.call('GET', '/session', { headers })).body).not.toHaveProperty('proxy');
  });

  it.each([
    [{}, 'url should not be empty'],
    [{ url: 3 }, 'url must be a string'],
    [{ url: 'ftp://proxy.example' }, 'url must be the url of a proxy'],
    [{ url: 'tg://proxy?server=a&port=1&secret=00' }, 'url must be the url of a proxy'],
    [{ url: `socks5://${'a'.repeat(2_048)}` }, 'url must be shorter than or equal to 2048 characters'],
  ])('[LG3.3] refuses %j', async (body, message) => {
    const headers = await gate.session();
    expect(await gate.call('PUT', '/session/proxy', { headers, body })).toMatchObject(refused(message));
  });

  it('[LG3.3] says why a proxy cannot be used', async () => {
    const headers = await gate.session();
    gate.links.of(headers.id).proxyTrial = () =>
      Promise.reject(new ProxyUnusableError('proxy cannot be used: it cannot be reached'));
    const answer = await gate.call('PUT', '/session/proxy', { headers, body: { url } });
    expect(answer).toMatchObject(refused('proxy cannot be used: it cannot be reached'));
    expect((await gate.call('GET', '/session', { headers })).body).not.toHaveProperty('proxy');
  });
});

describe('POST /session', () => {
  it('[LG3.2] takes a proxy', async () => {
    expect(await gate.call('POST', '/session', { body: { proxy: { url } } })).toMatchObject({
      status: 200,
      body: { proxy: shown },
    });
    const { body } = await gate.call('POST', '/session', { body: { proxy: { url: '' } } });
    expect(body).not.toHaveProperty('proxy');
  });

  it('[LG3.3] refuses what is wrong with it, together with the rest', async () => {
    const body = { name: 1, proxy: { url: 'proxy.example' }, login: {} };
    expect(await gate.call('POST', '/session', { body })).toMatchObject(
      refused('name must be a string\nproxy.url must be the url of a proxy\nlogin.phone should not be empty'),
    );
  });
});

import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../support/browser/chromium.ts';
import { installPackedClient } from '../support/clients/packed-client.ts';
import { ann, bob } from '../support/e2e/scene.ts';
import { startTestGateway, type TestGateway } from '../support/gateway/gateway.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/kit/temporary-folder.ts';
import { startWebServer, type WebServer } from '../support/kit/web-server.ts';
import { startTestSandbox, type TestSandbox } from '../support/sandbox/sandbox.ts';

/** The published package in pages of origins that are not the gateway's: one that CORS_ORIGINS names, and one that it does not. */

/** What the page's program has said, line by line. */
const lines = 'window.said';

const tour = (url: string, apiKey: string): string => `
  import { Gateway } from '/client/index.js';
  const say = (...words) => ${lines}.push(words.join(' '));
  const gateway = new Gateway({ baseUrl: '${url}', apiKey: '${apiKey}', retryForMs: 0 });
  const failure = (work) => work.then(() => 'done', (error) => error.constructor.name + ' ' + error.code);
  say('a session that is not:', await failure(gateway.session({ id: 'nobody', sessionId: 'nothing' }).getSession()));
  const session = await gateway.createSession({ label: 'a page' }).catch((error) => say('refused', error.code));
  await session.waitForLogin({
    pollMs: 100,
    onQr: ({ dataUri, link }) => { document.querySelector('img').src = dataUri; say('qr', link); },
  });
  say('connected');
  const text = { username: 'bob', type: 'text', text: 'Hello from a page' };
  const first = await session.send(text, { idempotencyKey: 'page' });
  const again = await session.send(text, { idempotencyKey: 'page' });
  say('sent', first.messageId === again.messageId);
  say('a socket:', await failure(session.readMessages({ reader: 'ws' }).next()));
  say('reading');
  for await (const { type, data } of session.streamMessages({ reader: 'page' })) if (type === 'message') say('got', data.text);
  say('ended');`;

const apiKey = 'the-key-of-the-owner-of-this-gateway';
const operator = { 'x-api-key': apiKey };

let pageKey: string;
let folder: TemporaryFolder;
let sandbox: TestSandbox;
let gateway: TestGateway;
let pages: WebServer;
let browser: Browser;
beforeAll(async () => {
  if (!hasChromium) return;
  [folder, sandbox, browser] = await Promise.all([createTemporaryFolder(), startTestSandbox(), launchChromium()]);
  const client = await installPackedClient(folder.path);
  pages = await startWebServer(({ url = '/' }, response) => {
    const path = new URL(url, 'http://page').pathname;
    if (path === '/') {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>A page</title><img alt="QR code"><script>${lines} = []</script>`);
    } else if (path.startsWith('/client/')) {
      response.setHeader('content-type', 'text/javascript');
      createReadStream(join(client.folder, 'dist', path.slice('/client/'.length))).pipe(response);
    } else response.writeHead(404).end();
  });
  const environment = { API_KEY: apiKey, CORS_ORIGINS: `http://127.0.0.1:${pages.port}` };
  gateway = await startTestGateway({ sandbox, environment });
  // A page has a key of its own, never the API key.
  const { body } = await gateway.http.request<{ key: string }>('POST', '/keys', {
    headers: operator,
    body: { name: 'a page', scopes: ['sessions:create', 'accounts'] },
  });
  pageKey = body.key;
});
afterAll(async () => {
  await browser?.close();
  await gateway?.close();
  await Promise.all([pages?.close(), sandbox?.close(), folder?.remove()]);
});

/** A page at an origin of its own, with the tour begun. */
async function openPage(hostname: string): Promise<{ page: Page; said: (line: RegExp) => Promise<string> }> {
  const page = await browser.newPage();
  await page.goto(`http://${hostname}:${pages.port}/`);
  await page.addScriptTag({ type: 'module', content: tour(gateway.url, pageKey) });
  const said = async (line: RegExp): Promise<string> => {
    for (;;) {
      const all = await page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
      const found = all.find((one) => line.test(one));
      if (found !== undefined) return found;
      if (all.at(-1)?.startsWith('refused ') === true) throw new Error(all.join('\n'));
      await page.waitForTimeout(50);
    }
  };
  return { page, said };
}

describe.skipIf(!hasChromium)('the client in a page', () => {
  it('[TC1.11] of an origin that CORS_ORIGINS names logs in, sends and receives', async () => {
    const { page, said } = await openPage('127.0.0.1');
    expect(await said(/^a session that is not:/)).toBe('a session that is not: SessionNotFoundError session_not_found');
    const qr = await said(/^qr /);
    // The picture is one that the browser can show.
    await page.waitForFunction("document.querySelector('img').naturalWidth > 100");
    await sandbox.scan(qr.slice('qr '.length), ann);
    await said(/^connected$/);
    expect(await said(/^sent /)).toBe('sent true');
    expect(await said(/^a socket:/)).toBe('a socket: GatewayError websocket_missing');
    await said(/^reading$/);
    for (let count = 1; ; count += 1) {
      await sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text: `Hi Ann ${count}` });
      const got = page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
      if ((await got).some((line) => line.startsWith('got Hi Ann '))) break;
      await page.waitForTimeout(250);
    }
    const { body } = await gateway.http.request<{ docs: { id: string }[] }>('GET', '/sessions?label=a%20page', {
      headers: operator,
    });
    await gateway.http.request('DELETE', `/sessions/${body.docs[0]?.id}`, { headers: operator });
    await said(/^ended$/);
    await page.close();
  });

  it('[TC1.11] of another origin gets nothing, and creates nothing', async () => {
    const count = async (): Promise<number> =>
      (await gateway.http.request<{ docs: unknown[] }>('GET', '/sessions', { headers: operator })).body.docs.length;
    const before = await count();
    // Another name of this machine is another origin.
    const { page, said } = await openPage('localhost');
    expect(await said(/^a session that is not:/)).toBe('a session that is not: ConnectionError connection_failed');
    expect(await said(/^refused /)).toBe('refused connection_failed');
    await page.close();
    expect(await count()).toBe(before);
  });
});

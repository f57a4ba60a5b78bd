import { readdirSync, statSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeChart } from '../../../../actors/session/describe-chart.ts';
import type { AppOptions } from '../../../../src/http/app.ts';
import { buildConsole } from '../../../support/browser/build-console.ts';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

/** Of the whole page, as it is sent. */
const mostBytes = 150 * 1024;

let gate: TestApp;
const start = async (options?: Partial<AppOptions>): Promise<void> => {
  gate = await startTestApp(options);
};
beforeAll(buildConsole);
afterEach(() => gate.close());

const get = (url: string, encoding = '') => gate.app.inject({ url, headers: { 'accept-encoding': encoding } });

const assets = (page: string): string[] =>
  [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name = '']) => name);

describe('the console, as it is served', () => {
  it('[CO1.1] is one page whose files are named after their content, and kept for ever', async () => {
    await start();
    const page = await get('/console/');
    expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    const names = assets(page.body);
    expect(new Set(names.map((name) => name.replace(/^.*\./, '')))).toEqual(new Set(['css', 'js']));
    for (const name of names) {
      const asset = await get(`/console/${name}`);
      expect(asset.statusCode).toBe(200);
      expect(asset.headers['content-type']).toMatch(/^(?:application\/javascript|text\/css); charset=utf-8$/);
      expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  it('[CO1.1] stands below any path: all its addresses are relative', async () => {
    await start();
    const moved = await get('/console');
    expect(moved).toMatchObject({ statusCode: 302, headers: { location: 'console/' } });
    expect((await get('/console/')).body).not.toMatch(/(?:src|href)="\//);
  });

  it('[CO1.1] is where a browser gets that asks for the root; a program gets 404', async () => {
    await start();
    const browser = await gate.app.inject({ url: '/', headers: { accept: 'text/html,application/xhtml+xml' } });
    expect(browser).toMatchObject({ statusCode: 302, headers: { location: 'console/' } });
    const program = await gate.app.inject({ url: '/', headers: { accept: '*/*' } });
    expect([program.statusCode, program.json()]).toEqual([404, { statusCode: 404, message: 'not found' }]);
  });

  it('[CO2.1] lets nothing in but its own files, and reaches the gateway and its sandbox alone', async () => {
    await start();
    const rules =
      "default-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    const page = await get('/console/');
    expect(page.headers['content-security-policy']).toBe(rules);
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect(page.body).not.toMatch(/<script(?![^>]*src=)|<style|style="|https?:(?!\/\/www\.w3\.org)/);
    await gate.close();
    await start({ sandboxUrl: 'http://127.0.0.1:4400/' });
    const beside = await get('/console/');
    expect(beside.headers['content-security-policy']).toContain("connect-src 'self' http://127.0.0.1:4400;");
  });

  it('[CO1.1] is sent as small as the client takes it, and is small', async () => {
    await start();
    const plain = await get('/console/');
    const br = await get('/console/', 'gzip, deflate, br');
    const gzip = await get('/console/', 'gzip');
    expect(br.headers['content-encoding']).toBe('br');
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    const files = readdirSync('dist/console', { recursive: true, encoding: 'utf8' });
    const sent = files.filter((name) => name.endsWith('.gz')).map((name) => statSync(`dist/console/${name}`).size);
    // Each page and each of their files.
    expect(sent.length).toBe(files.filter((name) => /\.(?:html|css|js)$/.test(name)).length);
    expect(sent.reduce((sum, size) => sum + size, 0)).toBeLessThan(mostBytes);
  });

  it.each([
    ['br;q=0', undefined],
    ['gzip;q=0, br;q=0.0', undefined],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0.2', 'gzip'],
    ['x-br-like', undefined],
  ])('[CO1.1] is sent in a coding that the client accepts: %s', async (accepted, coding) => {
    await start();
    const page = await get('/console/', accepted);
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-encoding']).toBe(coding);
  });

  it('[CO1.1] [CO4.1] has the chart as the machine describes it, and not what would run it', async () => {
    await start();
    const script = assets((await get('/console/')).body).find((name) => name.endsWith('.js'));
    const { body: text } = await get(`/console/${script}`);
    for (const { fact } of describeChart().transitions) expect(text).toContain(fact);
    expect(text).not.toMatch(/xstate|stateIn|isCurrent:/);
  });

  it('[CO1.1] has no other files, whatever they are called', async () => {
    await start();
    for (const name of ['none.js', '..%2Findex.html', '%2e%2e%2findex.html', 'index.html', '.js', 'a%00.js']) {
      expect((await gate.call('GET', `/console/assets/${name}`)).body).toEqual({
        statusCode: 404,
        message: 'not found',
      });
    }
  });

  it('[CO3.1] is told whether it needs a key, and where the sandbox is', async () => {
    await start();
    expect((await gate.call('GET', '/console/config')).body).toEqual({ sandboxUrl: '', needsApiKey: false });
    await gate.close();
    await start({ apiKey: 'k', sandboxUrl: 'http://127.0.0.1:4400' });
    const told = await gate.call('GET', '/console/config');
    expect(told.body).toEqual({ sandboxUrl: 'http://127.0.0.1:4400', needsApiKey: true });
  });
});

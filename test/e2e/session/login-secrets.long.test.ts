import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSecretSearch, type Reply, type SecretSearch, searchText } from '../../support/gateway/secret-search.ts';

const apiKey = 'm4rk-api-key-5d21';
const wrongToken = '1004:m4rk-wrong-bot-token-61f0a2b3c4';
const wrongCode = 'm4rk-wrong-code-20c7';
const phone = '16660917254';
const helperBot = '1004';

let search: SecretSearch;
beforeEach(async () => {
  search = await openSecretSearch(apiKey);
});
afterEach(() => search.close());

type Account = Record<'userId' | 'token', string>;
/** Repeated where Telegram has not answered in time: other tests run beside. */
async function post(path: string, headers: Record<string, string>, body: object): Promise<Reply> {
  for (;;) {
    const reply = await search.send('POST', path, headers, body);
    if (reply.status !== 503) return reply;
    await pause(500);
  }
}
const create = (login: object) => post('/session', { 'x-api-key': apiKey }, { login });
const headersOf = (body: string): Record<string, string> => {
  const { id, sessionId } = JSON.parse(body) as Record<'id' | 'sessionId', string>;
  return { id, 'session-id': sessionId };
};

it('[LG1.7] codes, bot tokens, phones and session strings are in no log, no error, no file and no other answer', async () => {
  const { sandbox, found, replies } = search;
  const { userId } = await sandbox.call<Account>('POST', '/accounts', { firstName: 'Mara', phone, dc: 2 });
  const accounts = await sandbox.call<Account[]>('GET', '/accounts');
  const botToken = accounts.find((account) => account.userId === helperBot)?.token ?? '';
  const codeOf = async (): Promise<string> => {
    const [sent] = await sandbox.call<{ code: string }[]>('GET', `/accounts/${userId}/codes`);
    return sent?.code ?? '';
  };
  const names = () => ({
    apiKey,
    wrongToken,
    wrongCode,
    phone,
    botToken,
    'secret of the bot token': botToken.slice(botToken.indexOf(':') + 1),
    ...Object.fromEntries(found),
    ...search.loginKeys().names,
  });
  /** Ports have five digits too: a code counts where nothing else is beside it. */
  const codes: RegExp[] = [];
  const hits: string[] = [];

  // By a code: wrong, not one at all, right.
  expect((await create({ phone: wrongCode })).status).toBe(400);
  const created = await create({ phone: `+${phone}` });
  expect(created.status).toBe(200);
  const headers = headersOf(created.body);
  const code = await codeOf();
  codes.push(new RegExp(`(?<![\\w.:])${code}(?![\\w.:])`));
  const submit = (given: string) => post('/session/code', headers, { code: given });
  expect((await submit(wrongCode)).status).toBe(400);
  await search.restart(() => hits.push(...search.searchFiles(names())));
  expect((await submit(code)).status).toBe(200);
  await search.until(headers, (session) => session['isConnected'] === true);

  // As a bot: refused, then logged in.
  expect((await create({ botToken: wrongToken })).status).toBe(400);
  const bot = await create({ botToken });
  expect(bot.status).toBe(200);
  await search.until(headersOf(bot.body), (session) => session['isConnected'] === true);

  // Given away: only that answer has the string.
  const given = await search.send('POST', '/session/string', headers, { format: 'telethon' });
  expect(given.status).toBe(200);
  found.set('session string', (JSON.parse(given.body) as { string: string }).string);
  for (const path of ['/sessions', `/sessions/${headers['id']}/events`, '/metrics']) {
    expect((await search.ask('GET', path, { 'x-api-key': apiKey })).status).toBe(200);
  }
  hits.push(...search.searchFiles(names()));
  expect(await search.end('SIGTERM')).toBe(0);
  hits.push(...search.searchFiles(names()));

  const log = search.log();
  expect(log.split('\n').length).toBeGreaterThan(20);
  expect(search.loginKeys().bytes.length).toBeGreaterThan(1);
  hits.push(
    ...searchText(log, 'the log', names()),
    ...codes.filter((each) => each.test(log)).map(() => 'code in the log'),
  );
  for (const { request, status, body } of replies) {
    const { phone: owned, 'session string': string, ...others } = { 'session string': '', ...names() };
    const isOwn = status === 200 && request === 'GET /session';
    const isGift = status === 200 && request === 'POST /session/string';
    const hidden = { ...others, ...(!isOwn && { owned }), ...(!isGift && { string: string || wrongToken }) };
    hits.push(...searchText(body, `${status} to ${request}`, hidden));
    hits.push(...codes.filter((each) => each.test(body)).map(() => `code in ${status} to ${request}`));
  }
  expect(hits).toEqual([]);
});

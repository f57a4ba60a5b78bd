import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { OutgoingText, TelegramAccount } from '../../../../src/telegram/port/account.ts';
import {
  InvalidUsernameError,
  NotConnectedError,
  PeerNotFoundError,
  PhoneNotFoundError,
  TelegramError,
} from '../../../../src/telegram/port/errors.ts';
import type { Peer } from '../../../../src/telegram/port/peer.ts';
import { type SessionHeaders, startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

const peers: Record<string, Peer> = {
  '1001': { kind: 'user', id: '1001' },
  '-2001': { kind: 'group', id: '-2001' },
  '-1004001': { kind: 'channel', id: '-1004001' },
};
const usernames: Record<string, Peer> = {
  ann: { kind: 'user', id: '1001' },
  makers: { kind: 'group', id: '-2001' },
  daily: { kind: 'channel', id: '-1004001' },
  strangers: { kind: 'channel', id: '-1004003' },
};
const known = async (id: string): Promise<Peer> => {
  const peer = peers[id];
  if (peer === undefined) throw new PeerNotFoundError(id);
  return peer;
};

let gate: TestApp;
let headers: SessionHeaders;
let sent: [Peer, OutgoingText][];
/** Telegram as one test wants it: a few who are known. */
const account = {
  userById: known,
  chatById: known,
  byUsername: async (username) => {
    if (username.length < 3) throw new InvalidUsernameError(username);
    const peer = usernames[username];
    if (peer === undefined) throw new PeerNotFoundError(username);
    return peer;
  },
  byPhone: async (phone) => {
    if (phone !== '15550000001') throw new PhoneNotFoundError(phone);
    return { kind: 'user', id: '1001' };
  },
  sendText: async (peer, message) => {
    sent.push([peer, message]);
    return 42;
  },
} as Partial<TelegramAccount> as TelegramAccount;

beforeEach(async () => {
  gate = await startTestApp();
  sent = [];
  headers = await gate.session();
  await gate.connect(headers, account);
});
afterEach(() => gate.close());

const send = (body: object) => gate.call('POST', '/message', { headers, body: { type: 'text', text: 'hi', ...body } });

describe('receivers', () => {
  it.each([
    [{ user: '1001' }, '1001'],
    [{ username: '@ann' }, '1001'],
    [{ username: 'https://t.me/daily' }, '-1004001'],
    [{ phone: '+1 (555) 000-0001' }, '1001'],
    [{ group: '-2001' }, '-2001'],
    [{ group: 'makers' }, '-2001'],
    [{ channel: '-1004001' }, '-1004001'],
    [{ channel: 'daily' }, '-1004001'],
    [{ group: '-2001', user: '1001' }, '-2001'],
  ])('[MS1.4] %j is %s', async (receiver, id) => {
    const { status, body } = await send(receiver);
    expect([status, body]).toEqual([200, { messageId: '42' }]);
    expect(sent.map(([peer]) => peer.id)).toEqual([id]);
  });

  it.each([
    [{}, 'invalid phone, username, user, group or channel'],
    [{ group: ' ', phone: '' }, 'invalid phone, username, user, group or channel'],
    [{ phone: '1234567' }, 'invalid receiver'],
    [{ username: 'two words' }, 'invalid chat'],
    [{ username: '1st' }, 'invalid chat'],
    [{ username: 'ab' }, 'invalid chat'],
    [{ username: 'nobody' }, 'chat not found'],
    [{ user: '5' }, 'chat not found'],
    [{ group: '-5' }, 'chat not found'],
    [{ channel: '-5' }, 'chat not found'],
    [{ phone: '15559999999' }, 'phone is not on telegram or hidden by its privacy settings'],
    [{ group: '-1004001' }, 'group not found'],
    [{ group: 'daily' }, 'group not found'],
    [{ group: 'ann' }, 'group not found'],
    [{ group: '1001' }, 'group not found'],
    [{ channel: '-2001' }, 'channel not found'],
    [{ channel: 'makers' }, 'channel not found'],
    [{ channel: 'strangers' }, 'channel not found'],
  ])('[MS1.4] %j is refused: %s', async (receiver, message) => {
    const { status, body } = await send(receiver);
    expect([status, body]).toEqual([400, { statusCode: 400, message }]);
    expect(sent).toEqual([]);
  });
});

describe('text', () => {
  it.each<[object, object]>([
    [{ text: '**a** <b>' }, { text: '**a** <b>', entities: [] }],
    [
      { text: '**a** <b>', parseMode: '' },
      { text: '**a** <b>', entities: [] },
    ],
    [
      { text: '**a**', parseMode: 'markdown' },
      { text: 'a', entities: [{ type: 'bold', offset: 0, length: 1 }] },
    ],
    [
      { text: '<i>a</i>', parseMode: 'html' },
      { text: 'a', entities: [{ type: 'italic', offset: 0, length: 1 }] },
    ],
    [
      { replyTo: '7', silent: true },
      { text: 'hi', replyTo: 7, silent: true },
    ],
    [{ silent: false }, { text: 'hi', silent: false }],
  ])('[MS8.1] %j', async (body, message) => {
    expect((await send({ user: '1001', ...body })).status).toBe(200);
    expect(sent).toMatchObject([[{ id: '1001' }, message]]);
  });

  it('[MS7.3] each message has a random number of its own', async () => {
    await send({ user: '1001' });
    await send({ user: '1001' });
    expect(new Set(sent.map(([, { randomId }]) => randomId)).size).toBe(2);
  });
});

describe('what Telegram says', () => {
  const failing = (error: Error): void => {
    gate.accounts.set(headers.id, { ...account, sendText: () => Promise.reject(error) });
  };

  it.each([
    [
      new TelegramError(403, 'CHAT_WRITE_FORBIDDEN', 'messages.SendMessage'),
      '403: CHAT_WRITE_FORBIDDEN (caused by messages.SendMessage)',
      undefined,
    ],
    [
      new TelegramError(400, 'MESSAGE_TOO_LONG', 'messages.SendMessage'),
      '400: MESSAGE_TOO_LONG (caused by messages.SendMessage)',
      undefined,
    ],
    [
      new TelegramError(420, 'FLOOD_WAIT_300', 'messages.SendMessage'),
      'A wait of 300 seconds is required (caused by messages.SendMessage)',
      '300',
    ],
    [new NotConnectedError('gone'), 'session not connected', undefined],
  ])('[ER3.1] passes through: %s', async (error, message, retryAfter) => {
    failing(error);
    const answer = await send({ user: '1001' });
    expect([answer.status, answer.body]).toEqual([500, { statusCode: 500, message }]);
    expect(answer.headers['retry-after']).toBe(retryAfter);
  });

  it('[ER3.1] the log has the name of what Telegram refused with, and nothing of the message', async () => {
    failing(new TelegramError(403, 'CHAT_WRITE_FORBIDDEN', 'messages.SendMessage'));
    await send({ user: '1001', text: 'a secret' });
    await send({ user: '5' });
    const lines = gate.logLines.filter((line) => line.includes('"request"')).map((line) => JSON.parse(line) as object);
    expect(lines.at(-2)).toMatchObject({ path: '/message', status: 500, error: 'CHAT_WRITE_FORBIDDEN' });
    expect(lines.at(-1)).toMatchObject({ path: '/message', status: 400 });
    expect(lines.at(-1)).not.toHaveProperty('error');
    expect(gate.logLines.join('')).not.toContain('secret');
  });

  it('[MS6.1] a send is cut off at 240 s, and stops', async () => {
    let signal: LightAbortSignal | undefined;
    gate.accounts.set(headers.id, {
      ...account,
      sendText: (_peer, _message, given) => {
        signal = given;
        return new Promise(() => {});
      },
    });
    const answer = send({ user: '1001' });
    await gate.clock.advance(239_999);
    expect(signal?.aborted).toBe(false);
    await gate.clock.advance(1);
    expect(signal?.aborted).toBe(true);
    const { status, body } = await answer;
    expect([status, body]).toEqual([500, { statusCode: 500, message: 'send timeout after 240s' }]);
  });

  it('[AU2.1] a session whose account has just gone is not connected', async () => {
    gate.accounts.delete(headers.id);
    expect(await send({ user: '1001' })).toMatchObject({ status: 500, body: { message: 'session not connected' } });
  });
});

import { describe, expect, it } from 'vitest';
import { PasswordBody, SettingsBody } from '../../../../src/http/session/schemas.ts';
import { WebhookBody } from '../../../../src/http/session/session-webhook.ts';
import { failuresOf } from '../../../../src/http/shared/validation.ts';
import { long } from '../../../support/messaging/message-bodies.ts';

const both = 'must be both filled, or both empty to turn the webhook off';

describe('POST /session/password', () => {
  it.each<[unknown, string[]]>([
    [{ password: 'hunter2' }, []],
    [{ password: ' ' }, []],
    [{}, ['password should not be empty']],
    [{ password: '' }, ['password should not be empty']],
    [{ password: 12345678 }, ['password must be a string']],
    [[], ['body must be an object']],
    ['hunter2', ['body must be an object']],
  ])('[ER2.2] %j', (body, lines) => {
    expect(failuresOf(PasswordBody, body, 'body')).toEqual(lines);
  });
});

describe('PUT /session/webhook', () => {
  it.each<[object, string[]]>([
    [{ url: 'https://hook.example/x', token: 't' }, []],
    [{ url: 'HTTP://10.0.0.1:80', token: 't' }, []],
    [{ url: '', token: '' }, []],
    [{}, []],
    [{ url: 'https://hook.example' }, [`url and token ${both}`]],
    [{ url: '', token: 't' }, [`url and token ${both}`]],
    [{ url: 'ftp://hook.example', token: 't' }, ['url must be an http or https url']],
    [{ url: 'hook.example', token: 't' }, ['url must be an http or https url']],
    [{ url: 'javascript:alert(1)', token: 't' }, ['url must be an http or https url']],
    [{ url: 'nowhere' }, [`url and token ${both}`, 'url must be an http or https url']],
    [{ url: 1, token: 2 }, ['url must be a string', 'token must be a string']],
  ])('[ER2.2] %j', (body, lines) => {
    expect(failuresOf(WebhookBody, body, 'body')).toEqual(lines);
  });

  const webhook = { url: 'https://hook.example', token: 't' };
  const words = 'chats must be one of the following values: private, groups, channels, all';

  it.each<[object, string[]]>([
    [{ events: ['message', 'chat.member', 'chat.read'], chats: 'all' }, []],
    [{ chats: ['1002', '-2001', '-1003001'] }, []],
    [{ events: [] }, ['events should not be empty']],
    [{ events: 'message' }, ['events must be an array']],
    [{ chats: 'some' }, [words]],
    [{ chats: 5 }, [words]],
    [{ chats: [] }, ['chats should not be empty']],
    [{ chats: ['1002', 'bob'] }, ['chats.1 must be a chat ID']],
    [{ chats: Array.from({ length: 101 }, () => '1') }, ['chats must have between 1 and 100 entries']],
  ])('[EV1.2] %j', (filter, lines) => {
    expect(failuresOf(WebhookBody, { ...webhook, ...filter }, 'body')).toEqual(lines);
  });

  it.each(['weather', 'chat.typing', 'user.status', 'session.deleted'])('[EV1.2] a webhook gets no %s', (type) => {
    const [line] = failuresOf(WebhookBody, { ...webhook, events: ['message', type] }, 'body');
    expect(line).toMatch(/^events\.1 must be one of the following values: message, message\.edited, /);
  });
});

describe('POST /session', () => {
  const entries = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));

  it.each<[object, string[]]>([
    [{}, []],
    [{ name: 'shop', metadata: entries(16), webhook: { url: 'https://hook.example', token: 't' } }, []],
    [{ webhook: {} }, []],
    [{ name: 5 }, ['name must be a string']],
    [{ metadata: entries(17) }, ['metadata must have at most 16 entries']],
    [{ metadata: { ...entries(15), x: 1, y: 2 } }, ['metadata must have at most 16 entries']],
    [{ metadata: { ...entries(15), x: 1 } }, ['metadata.x must be a string']],
    [{ metadata: { a: 'b', c: 1, d: null } }, ['metadata.c must be a string', 'metadata.d must be a string']],
    [{ metadata: 'a' }, ['metadata must be an object']],
    [{ metadata: '', webhook: '' }, ['metadata must be an object', 'webhook must be an object']],
    [{ metadata: ['a'] }, ['metadata must be an object']],
    [{ webhook: 'https://hook.example' }, ['webhook must be an object']],
    [{ webhook: { url: 'https://hook.example' } }, [`webhook.url and webhook.token ${both}`]],
    [
      { webhook: { url: 'x:y', token: 1 } },
      ['webhook.url must be an http or https url', 'webhook.token must be a string'],
    ],
    [
      { name: 1, metadata: 2, webhook: 3 },
      ['name must be a string', 'metadata must be an object', 'webhook must be an object'],
    ],
  ])('[ER2.2] %j', (body, lines) => {
    expect(failuresOf(SettingsBody, body, 'body')).toEqual(lines);
  });
});

describe('length', () => {
  it('[ER2.6] of a webhook, a name and metadata', () => {
    const line = (name: string, limit: number): string =>
      `${name} must be shorter than or equal to ${limit} characters`;
    const body = { name: 'n'.repeat(257), webhook: { url: long(2049), token: 't'.repeat(257) } };
    const lines = [line('name', 256), line('webhook.url', 2048), line('webhook.token', 256)];
    expect(failuresOf(SettingsBody, body, 'body')).toEqual(lines);
    const tooMuch = ['metadata must be smaller than or equal to 16384 bytes'];
    expect(failuresOf(SettingsBody, { metadata: { k: 'ü'.repeat(8192) } }, 'body')).toEqual(tooMuch);
    expect(failuresOf(SettingsBody, { metadata: { ['k'.repeat(16_385)]: 1 } }, 'body')).toEqual(tooMuch);
    expect(failuresOf(SettingsBody, { metadata: { k: 'v'.repeat(16_383) } }, 'body')).toEqual([]);
  });
});

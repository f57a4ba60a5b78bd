import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { MessageBody, PasswordBody, SettingsBody, WebhookBody } from '../../src/http/schemas.ts';
import { failuresOf, validatorCompiler } from '../../src/http/validation.ts';

const text = { user: '1001', type: 'text', text: 'hi' };
const both = 'must be both filled, or both empty to turn the webhook off';

describe('POST /message', () => {
  it.each<[object, string[]]>([
    [text, []],
    [{ ...text, parseMode: 'markdown' }, []],
    [{ ...text, parseMode: 'html', replyTo: '12', silent: true }, []],
    [{ ...text, parseMode: '', replyTo: '', extra: { any: 'thing' } }, []],
    [{ type: 'text', text: 'hi' }, []], // the receiver is checked after the connection (AU2)
    [{}, ['type should not be empty']],
    [{ ...text, type: '' }, ['type should not be empty']],
    [{ ...text, type: 'poem' }, ['type must be one of the following values: text']],
    [{ ...text, type: 5 }, ['type must be one of the following values: text']],
    [{ ...text, text: '' }, ['text should not be empty']],
    [{ user: '1', type: 'text' }, ['text should not be empty']],
    [{ ...text, text: 5 }, ['text must be a string']],
    [{ ...text, text: ['hi'] }, ['text must be a string']],
    [{ ...text, parseMode: 'bbcode' }, ['parseMode must be one of the following values: markdown, html']],
    [{ ...text, parseMode: true }, ['parseMode must be one of the following values: markdown, html']],
    [{ ...text, replyTo: 'first' }, ['replyTo must be a message ID']],
    [{ ...text, replyTo: 12 }, ['replyTo must be a string']],
    [{ ...text, silent: 'yes' }, ['silent must be a boolean']],
    [{ ...text, user: 1001 }, ['user must be a string']],
    [
      { silent: 1, parseMode: 'x', type: 'text', phone: 1, username: 2, user: 3, channel: 4, group: 5 },
      [
        'group must be a string',
        'channel must be a string',
        'user must be a string',
        'username must be a string',
        'phone must be a string',
        'text should not be empty',
        'parseMode must be one of the following values: markdown, html',
        'silent must be a boolean',
      ],
    ],
  ])('[ER2] %j', (body, lines) => {
    expect(failuresOf(MessageBody, body, 'body')).toEqual(lines);
  });
});

describe('POST /session/password', () => {
  it.each<[unknown, string[]]>([
    [{ password: 'hunter2' }, []],
    [{ password: ' ' }, []],
    [{}, ['password should not be empty']],
    [{ password: '' }, ['password should not be empty']],
    [{ password: 12345678 }, ['password must be a string']],
    [[], ['body must be an object']],
    ['hunter2', ['body must be an object']],
  ])('[ER2] %j', (body, lines) => {
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
  ])('[ER2] %j', (body, lines) => {
    expect(failuresOf(WebhookBody, body, 'body')).toEqual(lines);
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
  ])('[ER2] %j', (body, lines) => {
    expect(failuresOf(SettingsBody, body, 'body')).toEqual(lines);
  });
});

describe('query', () => {
  const Query = Type.Object({ groupId: Type.String(), before: Type.Optional(Type.String()) });

  it('[ER2] a required parameter that is missing gives both lines, an empty one gives one', () => {
    expect(failuresOf(Query, {}, 'query')).toEqual(['groupId must be a string', 'groupId should not be empty']);
    expect(failuresOf(Query, { groupId: '' }, 'query')).toEqual(['groupId should not be empty']);
    expect(failuresOf(Query, { groupId: ['a', 'b'] }, 'query')).toEqual(['groupId must be a string']);
    expect(failuresOf(Query, { groupId: 'a' }, 'query')).toEqual([]);
  });
});

describe('null', () => {
  const validate = validatorCompiler({ schema: SettingsBody, method: 'POST', url: '/session', httpPart: 'body' });

  it('says the same as leaving a field out', () => {
    expect(validate({ name: null, webhook: { url: null, token: null } })).toEqual({ value: { webhook: {} } });
    expect(validate(null)).toEqual({ value: {} });
  });

  it('[ER2] joins the lines of all failures with line feeds', () => {
    expect(validate({ name: 1, metadata: 2 })).toMatchObject({
      error: { statusCode: 400, message: 'name must be a string\nmetadata must be an object' },
    });
  });
});

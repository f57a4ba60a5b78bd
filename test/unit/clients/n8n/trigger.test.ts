import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { isSigned } from '../../../../clients/n8n/nodes/TelegramGateway/signature.ts';
import { eventOptions } from '../../../../clients/n8n/nodes/TelegramGateway/trigger-events.ts';
import { isAsWished, wishOf } from '../../../../clients/n8n/nodes/TelegramGateway/webhook-wish.ts';

const token = createHash('sha256').update('a token').digest('base64url');
const body = Buffer.from('{"type":"message"}');
const at = new Date('2026-01-05T08:15:00Z');
const headersOf = (key: string): Record<string, string> => ({
  'webhook-id': 'msg-1',
  'webhook-timestamp': String(at.getTime() / 1000),
  'webhook-signature': new Webhook(Buffer.from(key).toString('base64')).sign('msg-1', at, body.toString()),
});

describe('the signature of a delivery', () => {
  it('[NN1.3] is that of Standard Webhooks', () => {
    expect(isSigned(headersOf(token), body, token, at.getTime())).toBe(true);
    const headers = headersOf(token);
    const several = { ...headers, 'webhook-signature': `v1a,AAAA v1,AAAA ${headers['webhook-signature']}` };
    expect(isSigned(several, body, token, at.getTime())).toBe(true);
  });

  it.each([
    ['another token', headersOf('other'), body, 0],
    ['another body', headersOf(token), Buffer.from('{}'), 0],
    ['another ID', { ...headersOf(token), 'webhook-id': 'msg-2' }, body, 0],
    ['no signature', { ...headersOf(token), 'webhook-signature': '' }, body, 0],
    ['no headers', {}, body, 0],
    ['a time that is none', { ...headersOf(token), 'webhook-timestamp': 'now' }, body, 0],
    ['an old request', headersOf(token), body, 301_000],
    ['a request of later', headersOf(token), body, -301_000],
  ])('[NN1.3] is refused with %s', (_name, headers, received, laterMs) => {
    expect(isSigned(headers, received, token, at.getTime() + laterMs)).toBe(false);
  });
});

it('[NN1.3] the trigger offers the events that a webhook of the API document can have', () => {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<
      string,
      {
        post: {
          requestBody: {
            content: { 'application/json': { schema: { properties: { events: { items: { enum: string[] } } } } } };
          };
        };
      }
    >;
  };
  const { properties } = paths['/session/webhooks']?.post.requestBody.content['application/json'].schema ?? {};
  expect(eventOptions.map(({ value }) => value).toSorted()).toEqual(properties?.events.items.enum.toSorted());
});

it('[NN1.3] a webhook that is there is kept if it is as the trigger wants it', () => {
  const wish = wishOf('https://n8n.example/webhook/1', ['message', 'story'], 'list', ' 1002, -1003001,,');
  expect(wish).toEqual({
    url: 'https://n8n.example/webhook/1',
    events: ['message', 'story'],
    chats: ['1002', '-1003001'],
  });
  const there = { id: 'w', token, url: wish.url, events: ['story', 'message'], chats: ['-1003001', '1002'] };
  expect(isAsWished(there, wish)).toBe(true);
  expect(isAsWished({ ...there, events: ['story'] }, wish)).toBe(false);
  expect(isAsWished(there, wishOf(wish.url, wish.events, 'private', ''))).toBe(false);
});

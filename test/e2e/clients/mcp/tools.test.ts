import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatShape, MessageShape } from '../../../../clients/mcp/src/shapes.ts';
import { untrustedNotice } from '../../../../clients/mcp/src/untrusted.ts';
import { useConnectedScene } from '../../../support/e2e/connected-scene.ts';
import { ann, bob } from '../../../support/e2e/scene.ts';
import {
  type AgentKey,
  callTool,
  connectAgent,
  issueAgentKey,
  type Revision,
  revisions,
  type Serving,
  serveAgents,
} from '../../../support/mcp/agent.ts';

/** The MCP server between the SDK's client and a real gateway. */

const on = useConnectedScene();
const group = '-2001';
const supergroup = '-1003001';
const channel = '-1004001';

let key: AgentKey;
let serving: Serving;
let reader: Serving;
let client: Client;
beforeAll(async () => {
  const { gateway } = on.scene;
  key = await issueAgentKey(gateway.http);
  const account = { key: key.key, session: on.caller.id };
  serving = await serveAgents(gateway, account);
  reader = await serveAgents(gateway, { ...account, allowsWrites: false });
  client = await connectAgent(serving.url);
});
afterAll(async () => {
  await client.close();
  await Promise.all([serving, reader].map((one) => one.close()));
  const errors = [...serving.errors, ...reader.errors];
  if (errors.length > 0) throw new Error(`the server said: ${errors.join('; ')}`);
});

interface MessagePage {
  notice: string;
  messages: MessageShape[];
  next_page: string;
}
interface ChatPage {
  notice: string;
  chats: ChatShape[];
  next_page: string;
}

const say = (from: string, peer: string, text: string): Promise<{ messageId: string }> =>
  on.scene.sandbox.call('POST', `/accounts/${from}/messages`, { peer, text });
/** What Ann's phone shows of a chat. */
const textsOf = async (chat: string): Promise<string[]> =>
  (await callTool<MessagePage>(client, 'get_messages', { chat_id: chat })).data.messages.map(
    ({ untrusted }) => untrusted.text,
  );

describe('the tools', () => {
  it.each(Object.keys(revisions) as Revision[])(
    '[MC1.2] are the ones that read, without more, %s',
    async (revision) => {
      const agent = await connectAgent(reader.url, revision);
      const { tools } = await agent.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['list_chats', 'get_messages', 'search_messages']);
      for (const { annotations } of tools)
        expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: true });
      expect(agent.getInstructions()).toContain(untrustedNotice);
      const refused = agent.callTool({ name: 'send_message', arguments: { chat_id: bob, text: 'no' } });
      await expect(refused).rejects.toThrow('send_message');
      await agent.close();
    },
  );

  it.each(Object.keys(revisions) as Revision[])('[MC1.2] write too where that is allowed, %s', async (revision) => {
    const agent = await connectAgent(serving.url, revision);
    const { tools } = await agent.listTools();
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints).toMatchObject({
      send_message: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      react_to_message: { readOnlyHint: false, idempotentHint: true },
      mark_read: { readOnlyHint: false, idempotentHint: true },
    });
    for (const { inputSchema, outputSchema, title, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: 'object' });
      expect([title, description]).toEqual([expect.any(String), expect.any(String)]);
    }
    const { data } = await callTool<ChatPage>(agent, 'list_chats', { limit: 1 });
    expect(data.chats).toHaveLength(1);
    await agent.close();
  });

  it('[MC1.2] list chats page by page, those of the archive apart', async () => {
    const whole = await callTool<ChatPage>(client, 'list_chats', { limit: 100 });
    expect(whole.data.next_page).toBe('');
    expect(whole.data.chats.map(({ chat_id: id }) => id)).toEqual(
      expect.arrayContaining([bob, group, supergroup, channel]),
    );
    const ids: string[] = [];
    let page: string | undefined;
    while (page !== '') {
      const args: Record<string, unknown> = { limit: 2, ...(page && { page }) };
      const { data } = await callTool<ChatPage>(client, 'list_chats', args);
      ids.push(...data.chats.map(({ chat_id: id }) => id));
      page = data.next_page;
    }
    expect(ids).toEqual(whole.data.chats.map(({ chat_id: id }) => id));
    expect((await callTool<ChatPage>(client, 'list_chats', { archived: true })).data.chats).toEqual([]);
  });

  it('[MC1.2] read and search messages', async () => {
    await say(bob, ann, 'the kingfisher sat on the bridge');
    const { data } = await callTool<MessagePage>(client, 'get_messages', { chat_id: bob, limit: 1 });
    expect(data.messages).toEqual([
      expect.objectContaining({ chat_id: bob, from_me: false, person_id: bob, type: 'text', edited: '', reply_to: '' }),
    ]);
    expect(data.messages[0]?.untrusted).toEqual({
      person_name: 'Bob Stone',
      person_username: 'bobstone',
      text: 'the kingfisher sat on the bridge',
    });
    for (const where of [{}, { chat_id: bob }]) {
      const found = await callTool<MessagePage>(client, 'search_messages', { words: 'kingfisher', ...where });
      expect(found.data.messages.map(({ chat_id: id }) => id)).toEqual([bob]);
    }
    const elsewhere = { words: 'kingfisher', chat_id: group };
    expect((await callTool<MessagePage>(client, 'search_messages', elsewhere)).data.messages).toEqual([]);
  });

  it.each([bob, group, supergroup])('[MC1.2] send, answer and react in %s', async (chat) => {
    const sent = await callTool<{ message_id: string; request_id: string }>(client, 'send_message', {
      chat_id: chat,
      text: 'from *here*',
    });
    expect(sent.data).toEqual({ message_id: expect.any(String), chat_id: chat, request_id: expect.any(String) });
    const { message_id: id } = sent.data;
    await callTool(client, 'send_message', { chat_id: chat, text: 'and on', reply_to: id });
    await callTool(client, 'react_to_message', { chat_id: chat, message_id: id, emoji: '👍' });
    const { data } = await callTool<MessagePage>(client, 'get_messages', { chat_id: chat, limit: 2 });
    expect(data.messages.map(({ reply_to: to, untrusted }) => [untrusted.text, to])).toEqual([
      ['and on', id],
      ['from *here*', ''],
    ]);
    expect(data.messages[1]?.reactions).toEqual([{ emoji: '👍', count: 1, from_me: true }]);
  });

  it('[MC1.2] mark as read', async () => {
    const unread = async (): Promise<number | undefined> =>
      (await callTool<ChatPage>(client, 'list_chats')).data.chats.find(({ chat_id: id }) => id === bob)?.unread;
    await say(bob, ann, 'unread');
    expect(await unread()).toBeGreaterThan(0);
    await callTool(client, 'mark_read', { chat_id: bob });
    expect(await unread()).toBe(0);
    expect((await callTool(client, 'mark_read', { chat_id: channel })).isError).toBe(false);
  });

  it('[MC1.2] name what is wrong with their arguments', async () => {
    const wrong = await callTool(client, 'get_messages', { chat_id: 'bob', limits: 3 });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('must be a chat_id of list_chats') });
    expect(wrong.text).toContain('limits');
    const unknown = await callTool(client, 'get_messages', { chat_id: '99999' });
    expect(unknown).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^chat not found \(400\)\. Take a chat_id/),
    });
  });
});

describe('a send', () => {
  it('[MC1.4] is one message, however often it is repeated', async () => {
    const order = { chat_id: bob, text: 'one parcel', request_id: 'parcel-1' };
    const answers = [await callTool(client, 'send_message', order), await callTool(client, 'send_message', order)];
    expect(answers[0]).toEqual(answers[1]);
    expect((await textsOf(bob)).filter((text) => text === 'one parcel')).toHaveLength(1);
    const other = await callTool(client, 'send_message', { ...order, text: 'two parcels' });
    expect(other).toMatchObject({ isError: true, text: expect.stringContaining('Use a new one for a new message') });
  });

  it('[MC1.4] that failed says under which request_id it can be repeated', async () => {
    await on.scene.sandbox.call('POST', '/faults', { method: 'messages.sendMessage', error: 'PEER_FLOOD', times: 1 });
    const failed = await callTool(client, 'send_message', { chat_id: bob, text: 'perhaps' });
    const [, requestId = ''] = /request_id "([^"]+)"/.exec(failed.text) ?? [];
    expect([failed.isError, requestId]).toEqual([true, expect.stringMatching(/^[\da-f-]{36}$/)]);
    const again = { chat_id: bob, text: 'perhaps', request_id: requestId };
    expect((await callTool(client, 'send_message', again)).isError).toBe(false);
    expect((await textsOf(bob)).filter((text) => text === 'perhaps')).toHaveLength(1);
  });

  it('[MC1.5] is counted for the key of the server', async () => {
    await on.scene.pass(2_000);
    const { body } = await on.scene.gateway.http.request<{ docs: { keyName: string; sends: { ok: number } }[] }>(
      'GET',
      '/usage',
    );
    const rows = body.docs.filter(({ keyName }) => keyName === 'agent');
    expect(rows).toHaveLength(1);
    expect(rows[0]?.sends.ok).toBeGreaterThanOrEqual(8);
  });
});

it('[MC1.7] a server for some chats tells of no others, and refuses them', async () => {
  const cara = '1003';
  await say(cara, ann, 'the heron is secret');
  await say(bob, ann, 'the heron is no secret');
  const account = { key: key.key, session: on.caller.id, chats: new Set([bob]) };
  const bounded = await serveAgents(on.scene.gateway, account);
  const agent = await connectAgent(bounded.url);
  const { data } = await callTool<ChatPage>(agent, 'list_chats', { limit: 100 });
  expect(data.chats.map(({ chat_id: id }) => id)).toEqual([bob]);
  const found = await callTool<MessagePage>(agent, 'search_messages', { words: 'heron' });
  expect(found.data.messages.map(({ untrusted }) => untrusted.text)).toEqual(['the heron is no secret']);
  expect((await callTool(agent, 'get_messages', { chat_id: bob })).isError).toBe(false);
  const before = await textsOf(cara);
  for (const [tool, args] of [
    ['get_messages', {}],
    ['search_messages', { words: 'heron' }],
    ['send_message', { text: 'x' }],
    ['react_to_message', { message_id: '1', emoji: '👍' }],
    ['mark_read', {}],
  ] as const) {
    const { isError, text } = await callTool(agent, tool, { chat_id: cara, ...args });
    expect([tool, isError, text]).toEqual([tool, true, expect.stringContaining('this server is not for chat 1003')]);
  }
  expect(await textsOf(cara)).toEqual(before);
  await agent.close();
  await bounded.close();
});

describe('a key', () => {
  const answers = async (held: AgentKey, session = on.caller.id): Promise<string> => {
    const own = await serveAgents(on.scene.gateway, { key: held.key, session });
    const agent = await connectAgent(own.url);
    const { text, isError } = await callTool(agent, 'send_message', { chat_id: bob, text: 'not this one' });
    expect(isError).toBe(true);
    expect(text).toBe((await callTool(agent, 'send_message', { chat_id: bob, text: 'nor this' })).text);
    await agent.close();
    await own.close();
    return text;
  };

  it('[MC1.5] without the scope does nothing', async () => {
    const held = await issueAgentKey(on.scene.gateway.http, { scopes: ['sessions:read'] });
    expect(await answers(held)).toMatch(/^scope accounts is required \(403\)\. The key of this server is not allowed/);
  });

  it('[MC1.5] of another tenant does not see the session', async () => {
    const held = await issueAgentKey(on.scene.gateway.http, { tenant: 'other' });
    expect(await answers(held)).toMatch(/^session not found \(404\)\. The person who runs this server/);
  });

  it('[MC1.5] that was revoked ends at once', async () => {
    const held = await issueAgentKey(on.scene.gateway.http);
    await on.scene.gateway.http.request('DELETE', `/keys/${held.id}`);
    expect(await answers(held)).toMatch(
      /^invalid api key \(401\)\. The key of this server is wrong, expired or revoked/,
    );
    expect(await textsOf(bob)).not.toContain('not this one');
  });
});

import { expect, it } from 'vitest';
import type { SendEntry } from '../../../../src/audit/send-entry-schema.ts';
import { useConnectedScene } from '../../../support/e2e/connected-scene.ts';
import { bob } from '../../../support/e2e/scene.ts';
import { callTool, connectAgent, issueAgentKey, serveAgents } from '../../../support/mcp/agent.ts';

/** What the owner of a gateway can tell of an agent. */

interface RequestLine {
  msg: string;
  key?: string;
  session?: string;
  method: string;
  path: string;
  status: number;
}

const lines: string[] = [];
const on = useConnectedScene({ logTo: { write: (line) => void lines.push(line) } });

it('[MC1.5] each call of a tool is a line of the log, with the key and without a text', async () => {
  const { id, key } = await issueAgentKey(on.scene.gateway.http);
  const serving = await serveAgents(on.scene.gateway, { key, session: on.caller.id });
  const agent = await connectAgent(serving.url);
  lines.length = 0;
  await callTool(agent, 'get_messages', { chat_id: bob });
  await callTool(agent, 'send_message', { chat_id: bob, text: 'the meeting is at nine' });
  await callTool(agent, 'mark_read', { chat_id: bob });
  await agent.close();
  await serving.close();

  const requests = lines
    .map((line) => JSON.parse(line) as RequestLine)
    .filter(({ msg, key: keyId }) => msg === 'request' && keyId === id);
  expect(requests.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
    'GET /chat/message 200',
    'POST /message 200',
    'POST /chat/read 200',
  ]);
  for (const request of requests) expect(request.session).toBe(on.caller.id);
  expect(lines.join('')).not.toContain('the meeting is at nine');
});

it('[MC1.5] [AD7.1] what an agent sends is recorded as its key’s', async () => {
  const { key } = await issueAgentKey(on.scene.gateway.http, { name: 'agent seven' });
  const serving = await serveAgents(on.scene.gateway, { key, session: on.caller.id });
  const agent = await connectAgent(serving.url);
  await callTool(agent, 'send_message', { chat_id: bob, text: 'see you at ten' });
  await agent.close();
  await serving.close();

  const { body } = await on.scene.request<{ docs: SendEntry[] }>(on.caller, 'GET', '/session/sends');
  const [begun, answered] = body.docs.slice(-2);
  expect(begun).toMatchObject({ type: 'SendBegun', by: 'agent seven', operation: 'POST /message' });
  expect(answered).toMatchObject({ type: 'SendAnswered', send: begun?.send });
});

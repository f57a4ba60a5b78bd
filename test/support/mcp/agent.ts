import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openGateway } from '../../../clients/mcp/src/gateway.ts';
import { type HttpOptions, serveOverHttp } from '../../../clients/mcp/src/serve-http.ts';
import { createTelegramServer } from '../../../clients/mcp/src/server.ts';
import type { HttpClient } from '../gateway/gateway.ts';

/** The revision of the protocol with a handshake, and the one that has none. */
export const revisions = { 'with a handshake': 'legacy', stateless: { pin: '2026-07-28' } } as const;
export type Revision = keyof typeof revisions;

export const token = 'a token of forty characters, for an agent'.replaceAll(/[ ,]/g, '-');

export interface AgentKey {
  id: string;
  key: string;
}

/** A key that the owner of a gateway issues for an agent. */
export async function issueAgentKey(http: HttpClient, wish: object = {}): Promise<AgentKey> {
  const body = { name: 'agent', scopes: ['accounts'], ...wish };
  const answer = await http.request<AgentKey>('POST', '/keys', { body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

export interface Serving {
  url: string;
  errors: Error[];
  close(): Promise<void>;
}

/** The server over HTTP, in this process, for a session of a gateway. */
export async function serveAgents(
  gateway: { url: string },
  {
    allowsWrites = true,
    chats,
    ...account
  }: { key: string; session: string; answerMs?: number; allowsWrites?: boolean; chats?: ReadonlySet<string> },
  options: Partial<HttpOptions> = {},
): Promise<Serving> {
  const errors: Error[] = [];
  const serving = await serveOverHttp({
    createServer: () =>
      createTelegramServer({
        gateway: openGateway({ url: gateway.url, ...account }),
        version: '0.0.1',
        allowsWrites,
        chats,
      }),
    host: '127.0.0.1',
    port: 0,
    token,
    allowedOrigins: [],
    onError: (error) => errors.push(error),
    ...options,
  });
  return { ...serving, errors };
}

/** The SDK's own client, connected. */
export async function connectAgent(url: string, revision: Revision = 'stateless'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: revisions[revision] } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  );
  return client;
}

interface ToolAnswer<T> {
  content: { type: string; text: string }[];
  structuredContent: T;
  isError?: boolean;
}

/** Calls a tool, and gives what the model and the program get. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what the data of this tool is
export async function callTool<T = Record<string, unknown>>(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<{ text: string; data: T; isError: boolean }> {
  const answer = (await client.callTool({ name, arguments: args })) as unknown as ToolAnswer<T>;
  const text = answer.content.map((block) => block.text).join('\n');
  return { text, data: answer.structuredContent, isError: answer.isError === true };
}

import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, it } from 'vitest';
import { useConnectedScene } from '../../support/e2e/connected-scene.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { builtCommandLine } from '../../support/gateway/built-folder.ts';
import { runCommandLine, startCommandLine } from '../../support/gateway/command-line.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { callTool, connectAgent, issueAgentKey, revisions, token } from '../../support/mcp/agent.ts';

/** The command as agents start it, with a real gateway. */

const on = useConnectedScene();
const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = await createTemporaryFolder();
afterAll(() => folder.remove());

const settings = async (): Promise<Record<string, string>> => ({
  GATEWAY_URL: on.scene.gateway.url,
  GATEWAY_SESSION: on.caller.id,
  GATEWAY_KEY: (await issueAgentKey(on.scene.gateway.http)).key,
});

async function overStdio(args: string[], mode: (typeof revisions)[keyof typeof revisions]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await builtCommandLine(), 'mcp', ...args],
    env: { PATH: process.env['PATH'] ?? '', ...(await settings()) },
    cwd: root,
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return { client, said: () => said };
}

describe('telegram-gateway mcp', () => {
  it.each(Object.entries(revisions))(
    '[MC1.1] serves a client over standard input and output, %s',
    async (name, mode) => {
      const { client, said } = await overStdio(['--allow-writes'], mode);
      await on.scene.sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text: 'who is there?' });
      const { data } = await callTool<{ messages: { untrusted: { text: string } }[] }>(client, 'get_messages', {
        chat_id: bob,
        limit: 1,
      });
      expect(data.messages[0]?.untrusted.text).toBe('who is there?');
      const sent = await callTool(client, 'send_message', { chat_id: bob, text: `an agent, ${name}` });
      expect(sent).toMatchObject({ isError: false, data: { message_id: expect.stringMatching(/^\d+$/) } });
      await client.close();
      expect(said()).toBe('');
    },
  );

  it('[MC1.2] only reads unless it is told to write', async () => {
    const { client } = await overStdio([], revisions.stateless);
    expect((await client.listTools()).tools).toHaveLength(3);
    await client.close();
  });

  it('[MC1.1] [MC1.6] serves over HTTP until it is told to end, with the secrets of files', async () => {
    const { GATEWAY_KEY: key = '', ...rest } = await settings();
    mkdirSync(folder.path, { recursive: true });
    writeFileSync(`${folder.path}/key`, `${key}\n`);
    writeFileSync(`${folder.path}/token`, `${token}\n`);
    const child = await startCommandLine('mcp', ['--http', '--port', '0', '--json'], {
      ...rest,
      GATEWAY_KEY_FILE: `${folder.path}/key`,
      MCP_TOKEN_FILE: `${folder.path}/token`,
    });
    const [line] = (await once(child.stdout as Readable, 'data')) as [Buffer];
    const { url, pid } = JSON.parse(line.toString()) as { url: string; pid: number };
    expect(pid).toBe(child.pid);
    const agent = await connectAgent(url);
    expect((await callTool(agent, 'list_chats')).isError).toBe(false);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await agent.close();
  });

  it('[MC1.1] ends when its client has closed the input', async () => {
    const child = await startCommandLine('mcp', [], await settings());
    // Without an input there is no client.
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    [[], ['GATEWAY_KEY is missing', 'the session is missing']],
    [['--http'], ['MCP_TOKEN must have at least 32 characters']],
    [
      ['--json', '--url', 'ftp://x'],
      ['GATEWAY_URL must be an http or https URL', '--json goes with --http'],
    ],
    [['--writes'], ["error: unknown option '--writes'"]],
    [['--port', 'x'], ['It is a number up to 65535.']],
  ])('[MC1.1] [OP9.2] exits with 2 for: mcp %s', async (args, messages) => {
    const { code, output } = await runCommandLine('mcp', args);
    for (const message of messages) expect(output).toContain(message);
    expect(code).toBe(2);
  });

  it('[MC1.1] says that its port is taken, without a stack', async () => {
    const { port } = new URL(on.scene.gateway.url);
    const { code, output } = await runCommandLine('mcp', ['--http', '--port', port], {
      ...(await settings()),
      MCP_TOKEN: token,
    });
    expect([code, output]).toEqual([2, `listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`]);
  });
});

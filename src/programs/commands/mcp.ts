import { Command, InvalidArgumentError } from 'commander';
import { openGateway } from '../../../clients/mcp/src/gateway.ts';
import { isLoopback, serveOverHttp } from '../../../clients/mcp/src/serve-http.ts';
import { serveOverStdio } from '../../../clients/mcp/src/serve-stdio.ts';
import { createTelegramServer } from '../../../clients/mcp/src/server.ts';
import { readEnvironment } from '../../config/config.ts';
import { withSecretFiles } from '../../config/secrets.ts';
import { CommandError } from '../../errors/command-error.ts';
import { gatewayVersion } from '../../http/openapi/version.ts';
import { printResult } from '../print-result.ts';
import { exitCodes, runCommand } from '../run-command.ts';

interface McpOptions {
  url?: string;
  session?: string;
  allowWrites?: boolean;
  chats?: string[];
  http?: boolean;
  host: string;
  port: number;
  allowOrigin: string[];
  json?: boolean;
}

/** A token that is shorter could be guessed; `keygen` prints longer ones. */
const minTokenLength = 32;
const defaultPort = 3100;

export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'serve one session to AI agents as tools (Model Context Protocol), on standard input and output or over HTTP; ' +
        'GATEWAY_KEY is a key of POST /keys with the scope accounts',
    )
    .option('--url <url>', 'of the gateway (default: GATEWAY_URL, or http://127.0.0.1:3000)')
    .option('--session <id>', 'the id of the session (default: GATEWAY_SESSION)')
    .option('--allow-writes', 'offer the tools that send, react and mark as read; else those that read alone')
    .option('--chats <id...>', 'the only chats that the tools are for (default: those of the key)')
    .option('--http', 'serve over HTTP at /mcp; MCP_TOKEN is what clients send as bearer token')
    .option('--host <address>', 'of --http: where it listens', '127.0.0.1')
    .option('--port <number>', 'of --http', portOf, defaultPort)
    .option('--allow-origin <host...>', 'of --http: hosts whose pages may call it from a browser', [])
    .option('--json', 'of --http: print where it listens as JSON')
    .action((options: McpOptions) => runCommand({ run: () => run(options), isPlain, secrets: () => new Map() }));
}

/** The port is taken, the address is none of this machine. */
const isPlain = (error: unknown): boolean =>
  ['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND'].includes((error as NodeJS.ErrnoException).code ?? '');

async function run(options: McpOptions): Promise<number> {
  const faults: string[] = [];
  const variables = withSecretFiles(readEnvironment(), faults, ['GATEWAY_KEY', 'MCP_TOKEN']);
  const url = options.url ?? (variables['GATEWAY_URL'] || 'http://127.0.0.1:3000');
  const session = options.session ?? variables['GATEWAY_SESSION'] ?? '';
  const { GATEWAY_KEY: key = '', MCP_TOKEN: token = '' } = variables;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) faults.push('GATEWAY_URL must be an http or https URL');
  if (key === '') faults.push('GATEWAY_KEY is missing: a key of POST /keys with the scope accounts');
  if (session === '') faults.push('the session is missing: --session or GATEWAY_SESSION, the id of GET /sessions');
  if (options.http && token.length < minTokenLength) {
    faults.push(`MCP_TOKEN must have at least ${minTokenLength} characters; telegram-gateway keygen prints such`);
  }
  if (options.json && !options.http) faults.push('--json goes with --http: standard output is the protocol’s');
  if (faults.length > 0) throw new CommandError(faults.join('\n'));

  const gateway = openGateway({ url, key, session });
  const allowsWrites = options.allowWrites === true;
  const chats = options.chats && new Set(options.chats.flatMap((ids) => ids.split(',')));
  const createServer = () => createTelegramServer({ gateway, version: gatewayVersion, allowsWrites, chats });
  const signal = untilEnded();
  if (options.http) await overHttp({ ...options, token, createServer, signal });
  else await serveOverStdio({ createServer, onError: say, signal });
  return exitCodes.fine;
}

interface HttpRun extends McpOptions {
  token: string;
  createServer: Parameters<typeof serveOverHttp>[0]['createServer'];
  signal: AbortSignal;
}

async function overHttp({ host, port, allowOrigin, json, token, createServer, signal }: HttpRun): Promise<void> {
  const serving = await serveOverHttp({
    createServer,
    host,
    port,
    token,
    allowedOrigins: allowOrigin,
    onError: say,
  });
  const { url } = serving;
  printResult(json === true, { url, pid: process.pid }, `MCP: ${url}`);
  if (!isLoopback(host)) say(new Error(`other machines reach ${url}: put TLS in front of it`));
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await serving.close();
}

/** Aborted by SIGTERM, SIGINT and SIGHUP. */
function untilEnded(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => ending.abort());
  return ending.signal;
}

function say({ message }: Error): void {
  process.stderr.write(`${message}\n`);
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('It is a number up to 65535.');
  return port;
}

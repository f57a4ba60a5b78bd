import { finished } from 'node:stream/promises';
import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

export interface StdioOptions {
  createServer: () => McpServer;
  /** Told of what goes wrong beside the answers: standard output is the protocol's. */
  onError: (error: Error) => void;
  /** Ends the serving. */
  signal: AbortSignal;
}

/** Serves one client on standard input and output, until it closes its end or the signal comes. */
export async function serveOverStdio({ createServer, onError, signal }: StdioOptions): Promise<void> {
  const handle = serveStdio(createServer, { transport: new StdioServerTransport(), onerror: onError });
  const inputEnds = finished(process.stdin, { signal, writable: false });
  // It also fails when the signal comes, or the client is gone in the middle of a line.
  await inputEnds.catch(() => undefined);
  await handle.close();
}

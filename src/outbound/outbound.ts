import type { Socket } from 'node:net';
import { Agent } from 'undici';
import { LightAbort, type LightAbortSignal, onFirstAbort } from '../../actors/kit/light-abort.ts';
import { clientOptions } from './client-options.ts';
import { ConnectionPool } from './connection-pool.ts';
import { asConnector, createDial, type DialDeps } from './connector.ts';
import { type DownloadedFile, type DownloadOptions, download } from './download.ts';
import { type PostOptions, post } from './post.ts';
import { lostConnection, type PostResponse } from './post-connection.ts';

/** SR1: the only access to servers that callers name. */
export interface Outbound {
  /** See `download.ts`. */
  download(url: string, target: string, options: DownloadOptions): Promise<DownloadedFile>;
  /** See `post.ts`. */
  post(url: string, options: PostOptions): Promise<PostResponse>;
  /**
   * Connects to a proxy that a caller names.
   * @throws {OutboundError} @throws the signal's reason
   */
  connect(host: string, port: number, options: { sessionId: string; signal: LightAbortSignal }): Promise<Socket>;
  /** Aborts the requests in flight. */
  close(): Promise<void>;
}

export function createOutbound(deps: DialDeps): Outbound {
  const dial = createDial(deps);
  const closing = new LightAbort();
  const agents = new Set<Agent>();
  const { clock } = deps;
  const connections = new ConnectionPool(dial, clock);
  return {
    async download(url, target, { sessionId, ...options }) {
      // One for each download: its connections are looked up in the turns of its session.
      const ending = new LightAbort();
      const agent = new Agent({ ...clientOptions, connect: asConnector(dial, () => ({ sessionId }), ending) });
      agents.add(agent);
      // undici does not end what is being opened: it waits for it.
      const stopListening = onFirstAbort([options.signal, closing], (reason) => ending.abort(reason));
      try {
        return await download({ agent, clock }, url, target, options);
      } finally {
        stopListening();
        agents.delete(agent);
        await agent.destroy();
      }
    },
    async connect(hostname, port, { sessionId, signal }) {
      const ending = new LightAbort();
      const stopListening = onFirstAbort([signal, closing], (reason) => ending.abort(reason));
      try {
        return await dial({ protocol: 'tcp:', hostname, port: String(port) }, { sessionId }, ending);
      } finally {
        stopListening();
      }
    },
    post: (url, options) => post({ connections, clock }, url, options),
    async close() {
      connections.close();
      closing.abort(lostConnection());
      await Promise.all(Array.from(agents, (agent) => agent.destroy()));
    },
  };
}

import { createHash } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { startWebServer, type WebServer } from '../kit/web-server.ts';

/** Bytes, or what a server does instead. */
type Served = Buffer | ((response: ServerResponse) => void);

/** A server of the caller's, whose files are sent. */
export interface Files {
  /** Puts a file there, or an answer of its own, under a name that nobody else uses; returns its URL. */
  serve(content: Served, name?: string): string;
  /** How often anything was asked for. */
  readonly requests: number;
  /** Where it listens. */
  readonly url: string;
}

/** `ALLOW_PRIVATE_URLS`: it listens on loopback. */
export const reachable = { environment: { ALLOW_PRIVATE_URLS: 'true' } };

export function useFiles(): Files {
  const contents = new Map<string, Served>();
  let server: WebServer;
  let requests = 0;
  const answer: RequestListener = (request, response) => {
    requests += 1;
    const content = contents.get(request.url ?? '');
    if (content === undefined) response.writeHead(404).end();
    else if (typeof content === 'function') content(response);
    else response.end(content);
  };
  beforeAll(async () => {
    server = await startWebServer(answer);
  });
  afterAll(() => server.close());
  return {
    serve(content, name = 'file') {
      const path = `/${contents.size}/${encodeURIComponent(name)}`;
      contents.set(path, content);
      return server.url + path;
    },
    get requests() {
      return requests;
    },
    get url() {
      return server.url;
    },
  };
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

import { LRUCache } from 'lru-cache';
import { Agent } from 'undici';
import { LightAbort } from '../../actors/kit/light-abort.ts';
import { clientOptions } from './client-options.ts';
import { ConnectionPool } from './connection-pool.ts';
import { asConnector, createDial, type DialDeps } from './connector.ts';
import { type DownloadedFile, type DownloadOptions, download } from './download.ts';
import { type PostOptions, post } from './post.ts';
import { lostConnection, type PostResponse } from './post-connection.ts';
import { parseRequestUrl, type RequestUrl } from './request-url.ts';

/** Parsed URLs of endpoints that are kept. */
const maxParsedUrls = 1_000;

/** SR1: the only access to servers that callers name. */
export interface Outbound {
  /** See `download.ts`. */
  download(url: string, target: string, options: DownloadOptions): Promise<DownloadedFile>;
  /** See `post.ts`. */
  post(url: string, options: PostOptions): Promise<PostResponse>;
  /** Aborts the requests in flight. */
  close(): Promise<void>;
}

export function createOutbound(deps: DialDeps): Outbound {
  const dial = createDial(deps);
  const closing = new LightAbort();
  const agent = new Agent({ ...clientOptions, connect: asConnector(dial, closing) });
  const { clock } = deps;
  const connections = new ConnectionPool(dial, clock);
  const urls = new LRUCache<string, RequestUrl>({ max: maxParsedUrls, memoMethod: (url) => parseRequestUrl(url) });
  return {
    download: (url, target, options) => download({ agent, clock }, url, target, options),
    post: (url, options) => post({ connections, clock, parse: (text) => urls.memo(text) }, url, options),
    async close() {
      connections.close();
      closing.abort(lostConnection());
      await agent.destroy();
    },
  };
}

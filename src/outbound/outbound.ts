import { LRUCache } from 'lru-cache';
import { Agent } from 'undici';
import { Connections } from './connections.ts';
import { asConnector, createDial, type DialDeps } from './connector.ts';
import { type DownloadedFile, type DownloadOptions, download } from './download.ts';
import { type PostOptions, post } from './post.ts';
import { parseRequestUrl, type RequestUrl } from './request-url.ts';
import type { PostResponse } from './response-head.ts';

/** However long a server would like it: connections to it are not hoarded. */
const keepAliveMaxMs = 30_000;
/** The same receivers are posted to again and again: their URLs are taken apart once. */
const rememberedUrls = 1_000;

/** SR1: the one way to servers that callers name. */
export interface Outbound {
  /** See `download.ts`. */
  download(url: string, target: string, options: DownloadOptions): Promise<DownloadedFile>;
  /** See `post.ts`. */
  post(url: string, options: PostOptions): Promise<PostResponse>;
  /** Cuts off what is under way. */
  close(): Promise<void>;
}

export function createOutbound(parts: DialDeps): Outbound {
  const dial = createDial(parts);
  const agent = new Agent({
    connect: asConnector(dial),
    // Waiting is bounded by the clock that everything else goes by: see `patience.ts`.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: keepAliveMaxMs,
    allowH2: false,
  });
  const { clock } = parts;
  const connections = new Connections(dial, clock);
  const urls = new LRUCache<string, RequestUrl>({ max: rememberedUrls, memoMethod: (url) => parseRequestUrl(url) });
  return {
    download: (url, target, options) => download({ agent, clock }, url, target, options),
    post: (url, options) => post({ connections, clock, parse: (text) => urls.memo(text) }, url, options),
    async close() {
      connections.close();
      await agent.destroy();
    },
  };
}

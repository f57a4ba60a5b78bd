import { createHash } from 'node:crypto';
import { createMediaLinks } from '../../../src/media/links/media-link.ts';
import type { MediaRef } from '../../../src/telegram/port/files.ts';
import type { TestGatewayOptions } from '../gateway/gateway.ts';
import { type ConnectedScene, useConnectedScene } from './connected-scene.ts';
import { ann } from './scene.ts';

export const chunk = 512 * 1024;
export const daily = '-1004001';
const linkKey = Buffer.alloc(32, 5);

export interface Viewed {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}

/** A message as the sandbox tells it. */
interface Told {
  id: number;
  media: null | {
    kind: string;
    mime: string;
    size: number;
    width: number;
    height: number;
    name: string;
    sha256: string;
    thumbnail: null | { size: number; width: number; height: number; sha256: string };
  };
}

/** Ann's session, connected, media links of its own making, and what the sandbox knows of both ends. */
export interface Viewing extends ConnectedScene {
  /** The path of a link of the session's, or of another one's. */
  readonly path: (
    chatId: string,
    messageId: number | string,
    variant: MediaRef['variant'],
    ext?: string,
    sessionId?: string,
  ) => string;
  readonly view: (path: string, headers?: Record<string, string>, method?: string) => Promise<Viewed>;
  /** The messages of a chat, the newest first, with what they carry. */
  readonly told: (peer: string) => Promise<Told[]>;
  /** The newest of the kind in a chat. */
  readonly newest: (peer: string, kind: string) => Promise<Told & { media: NonNullable<Told['media']> }>;
  /** The bytes of what a message carries, as a phone sees them. */
  readonly original: (peer: string, id: number, size?: string) => Promise<Buffer>;
  /** Ann writes it from her phone; its ID. */
  readonly post: (peer: string, media: object) => Promise<number>;
  /** What Telegram was asked for so far. */
  readonly calls: (method: string) => Promise<{ dc: number; error?: string; params: Record<string, unknown> }[]>;
  readonly fault: (of: object) => Promise<unknown>;
}

/** Opens a scene for the tests of a file; after each of them faults are gone and the session is connected. */
export function useViewing(options: Partial<TestGatewayOptions> = {}): Viewing {
  const on = useConnectedScene({
    ...options,
    environment: { MEDIA_LINK_KEYS: linkKey.toString('hex'), ...options.environment },
  });
  const links = createMediaLinks({ keys: [linkKey], publicUrl: () => '' });
  const viewing: Viewing = {
    get scene() {
      return on.scene;
    },
    get caller() {
      return on.caller;
    },
    path: (chatId, messageId, variant, ext = 'jpg', sessionId = on.caller.id) =>
      links.link(sessionId, ann, { chatId, messageId: String(messageId), variant }, ext),
    view: async (path, headers = {}, method = 'GET') => {
      const response = await fetch(on.scene.gateway.url + path, { method, headers });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        bytes: Buffer.from(await response.arrayBuffer()),
      };
    },
    told: (peer) => on.scene.sandbox.call('GET', `/accounts/${ann}/messages?peer=${peer}&limit=1000`),
    newest: async (peer, kind) => {
      const found = (await viewing.told(peer)).find(({ media }) => media?.kind === kind);
      if (found?.media === null || found === undefined) throw new Error(`no ${kind} in ${peer}`);
      return { ...found, media: found.media };
    },
    original: async (peer, id, size = '') => {
      const query = size === '' ? '' : `?size=${size}`;
      const response = await fetch(`${on.scene.sandbox.url}/accounts/${ann}/messages/${peer}/${id}/file${query}`);
      if (!response.ok) throw new Error(await response.text());
      return Buffer.from(await response.arrayBuffer());
    },
    post: async (peer, media) => {
      const path = `/accounts/${ann}/messages`;
      return Number((await on.scene.sandbox.call<{ messageId: string }>('POST', path, { peer, media })).messageId);
    },
    calls: (method) => on.scene.sandbox.call('GET', `/calls?method=${method}`),
    fault: (of) => on.scene.sandbox.call('POST', '/faults', of),
  };
  return viewing;
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The error that an answer holds. */
export const errorOf = ({ bytes }: Viewed): unknown => JSON.parse(bytes.toString('utf8'));

import type { Answer, TestGatewayOptions } from '../gateway/gateway.ts';
import { type ConnectedScene, useConnectedScene } from './connected-scene.ts';
import { ann } from './scene.ts';

/** A message as the sandbox tells it. */
export interface Seen {
  id: number;
  text: string;
  out: boolean;
  entities: ({ _: string; offset: number; length: number } & Record<string, unknown>)[];
  replyTo: number | null;
  silent: boolean;
  /** The ID that the messages of an album share; or null. */
  album: string | null;
  /** Kind, size, mime, name, duration, width, height, sha256, …; or null. */
  media: Record<string, unknown> | null;
}

/** Ann's session, connected, which writes messages, and what is seen of them at the other end. */
export interface Writing extends ConnectedScene {
  /** No other test has sent it. */
  readonly newText: () => string;
  /** `POST /message`, of the type text unless the body says otherwise. */
  readonly send: (body: object) => Promise<Answer>;
  /** What an account (Ann, unless said otherwise) sees in a chat, the newest first. */
  readonly seen: (peer: string, by?: string, limit?: number) => Promise<Seen[]>;
  readonly timesSeen: (text: string, peer: string, by?: string) => Promise<number>;
  /** What becomes of the next `messages.sendMessage` at the sandbox. */
  readonly fault: (of: object) => Promise<unknown>;
  /** How often the sandbox has been called. */
  readonly calls: (method: string) => Promise<number>;
  /** Resolves once the sandbox has had that many more calls than before. */
  readonly arrivals: (method: string, before: number, more?: number) => Promise<void>;
}

/** Opens a scene for the tests of a file; after each of them faults are gone and the session is connected. */
export function useWriting(options: Partial<TestGatewayOptions> = {}): Writing {
  const on = useConnectedScene(options);
  let count = 0;
  const writing: Writing = {
    get scene() {
      return on.scene;
    },
    get caller() {
      return on.caller;
    },
    newText: () => `Message ${(count += 1)}`,
    send: (body) => on.scene.request(on.caller, 'POST', '/message', { type: 'text', ...body }),
    seen: (peer, by = ann, limit = 1000) =>
      on.scene.sandbox.call('GET', `/accounts/${by}/messages?peer=${encodeURIComponent(peer)}&limit=${limit}`),
    timesSeen: async (text, peer, by = ann) =>
      (await writing.seen(peer, by)).filter((message) => message.text === text).length,
    fault: (of) => on.scene.sandbox.call('POST', '/faults', { method: 'messages.sendMessage', ...of }),
    calls: async (method) => (await on.scene.sandbox.call<unknown[]>('GET', `/calls?method=${method}`)).length,
    async arrivals(method, before, more = 1) {
      while ((await writing.calls(method)) < before + more) await on.scene.clock.settle();
    },
  };
  return writing;
}

/** The answer that a refusal gives, for `toMatchObject`. */
export const refused = (statusCode: number, message: string): object => ({
  status: statusCode,
  body: { statusCode, message },
});

import type { Answer } from '../gateway/gateway.ts';
import { ann } from './scene.ts';
import { type Seen, useWriting, type Writing } from './writing-scene.ts';

/** A message as the sandbox tells it, with what was done to it. */
interface ActedOn extends Seen {
  pinned: boolean;
  edited: string | null;
  service: string | null;
  forwarded: string | null;
  reactions: { reaction: string; count: number; own: boolean }[];
}

/** Ann's session, connected, which does things to messages and chats. */
export interface Acting extends Writing {
  request: <T = Record<string, unknown>>(method: string, path: string, body?: object) => Promise<Answer<T>>;
  /** Under an `Idempotency-Key`. */
  keyed: (key: string, method: string, path: string, body?: object) => Promise<Answer>;
  /** The control API. */
  control: <T>(method: string, url: string, body?: object) => Promise<T>;
  /** Somebody writes from the phone; the message's ID as Ann sees it. */
  write: (from: string, peer: string, content: object) => Promise<number>;
  /** A message as an account sees it in a chat. */
  message: (peer: string, id: number, by?: string) => Promise<ActedOn | undefined>;
  /** The newest message that an account sees in a chat. */
  newest: (peer: string, by?: string) => Promise<ActedOn>;
}

/** Opens a scene for the tests of a file. */
export function useActing(): Acting {
  const writing = useWriting();
  const control: Acting['control'] = (method, url, body) => writing.scene.sandbox.call(method, url, body);
  const listed = async (peer: string, by: string, limit: number): Promise<ActedOn[]> =>
    (await writing.seen(peer, by, limit)) as ActedOn[];
  const acting: Omit<Acting, keyof Writing> = {
    request: (method, path, body) => writing.scene.request(writing.caller, method, path, body),
    keyed(key, method, path, body) {
      const headers = { ...writing.caller.headers, 'idempotency-key': key };
      return writing.scene.gateway.http.request(method, path, { headers, body });
    },
    control,
    async write(from, peer, content) {
      await control('POST', `/accounts/${from}/messages`, { peer, ...content });
      // In a private chat the other side has it under a number of its own.
      return (await acting.newest(peer === ann ? from : peer)).id;
    },
    message: async (peer, id, by = ann) => (await listed(peer, by, 1000)).find((message) => message.id === id),
    async newest(peer, by = ann) {
      const [newest] = await listed(peer, by, 1);
      if (newest === undefined) throw new Error(`nothing in ${peer}`);
      return newest;
    },
  };
  return Object.assign(writing, acting);
}

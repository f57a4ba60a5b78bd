import type { Answer } from '../gateway/gateway.ts';
import { type Files, reachable, useFiles } from './file-server.ts';
import type { Caller } from './scene.ts';
import { useWriting, type Writing } from './writing-scene.ts';

/** Messages under an `Idempotency-Key`, and files for them. */
export interface Keyed {
  files: Files;
  writing: Writing;
  /** A text, where the body says nothing else. */
  post: (key: string, body: object, caller?: Caller) => Promise<Answer>;
  /** Of the gateway, until its session is connected again. */
  restart: () => Promise<void>;
}

export function useKeyed(): Keyed {
  const files = useFiles();
  const writing = useWriting(reachable);
  return {
    files,
    writing,
    post(key, body, caller = writing.caller) {
      const headers = { ...caller.headers, 'idempotency-key': key };
      return writing.scene.gateway.http.request('POST', '/message', { headers, body: { type: 'text', ...body } });
    },
    async restart() {
      await writing.scene.restart();
      await writing.scene.whilePassing(writing.scene.read(writing.caller, (session) => session.isConnected));
    },
  };
}

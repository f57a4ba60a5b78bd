import type { ChatRow } from '../../../sandbox/world/state/rows.ts';
import type { Answer, TestGatewayOptions } from '../gateway/gateway.ts';
import { useWriting, type Writing } from './writing-scene.ts';

/** Ann's session, connected, which administers groups and channels, and what Telegram has of them. */
export interface Administering extends Writing {
  readonly ask: <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ) => Promise<Answer<T>>;
  /** The chat with this ID (`-…`), as Telegram has it. */
  readonly chat: (id: unknown) => ChatRow;
  /** All chats of this name. */
  readonly named: (title: string) => ChatRow[];
  /** What a request without anything to tell is answered. */
  readonly done: () => object;
}

export function useAdministering(options: Partial<TestGatewayOptions> = {}): Administering {
  const writing = useWriting(options);
  const rows = (): ChatRow[] => [...writing.scene.telegram.world.tables.chats.values()];
  const idOf = ({ kind, id }: ChatRow): string => (kind === 'chat' ? `-${id}` : `-100${id}`);
  // The scene's own members are getters.
  return Object.assign(Object.create(writing) as Writing, {
    ask: (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
      writing.scene.gateway.http.request(method, path, { headers: { ...writing.caller.headers, ...headers }, body }),
    chat: (id: unknown) => {
      const found = rows().find((row) => idOf(row) === id);
      if (found === undefined) throw new Error(`no ${String(id)}`);
      return found;
    },
    named: (title: string) => rows().filter((row) => row.title === title),
    done: () => ({ status: 200, body: { id: writing.caller.id } }),
  }) as Administering;
}

import type { AuthKey, TlObject } from '../../../sandbox/rpc.ts';
import { accessHash } from '../../../sandbox/world/access-hash.ts';
import type { WorldFixture } from './world-fixture.ts';

/** Inputs as one user sends them, and calls that are refused. */
export function chatCalls(fixture: WorldFixture, viewer: number, key: AuthKey) {
  const { world } = fixture;
  // The login itself was announced.
  fixture.pushed.length = 0;
  return {
    channel: (id: number): TlObject => ({
      _: 'inputChannel',
      channel_id: BigInt(id),
      access_hash: accessHash(world, viewer, 'channel', id),
    }),
    channelPeer: (id: number): TlObject => ({
      _: 'inputPeerChannel',
      channel_id: BigInt(id),
      access_hash: accessHash(world, viewer, 'channel', id),
    }),
    user: (id: number): TlObject => ({
      _: 'inputUser',
      user_id: BigInt(id),
      access_hash: accessHash(world, viewer, 'user', id),
    }),
    userPeer: (id: number): TlObject => ({
      _: 'inputPeerUser',
      user_id: BigInt(id),
      access_hash: accessHash(world, viewer, 'user', id),
    }),
    call: (method: string, params: Record<string, unknown> = {}): Promise<TlObject> =>
      fixture.call(key, method, params),
    /** The code and the name of the error that a call gets. */
    refused: (method: string, params: Record<string, unknown> = {}): Promise<string> =>
      fixture.call(key, method, params).then(
        (answer) => `no error but ${answer._}`,
        (error: { code: number; text: string }) => `${error.code} ${error.text}`,
      ),
    /** The updates of a key that were pushed since the last call, in order. */
    pushed(): TlObject[] {
      const own = fixture.pushed.filter(({ keyIds }) => keyIds.includes(key.id)).map(({ updates }) => updates);
      for (const { keyIds } of fixture.pushed) keyIds.splice(keyIds.indexOf(key.id), keyIds.includes(key.id) ? 1 : 0);
      return own.flatMap((updates) => (updates['updates'] as TlObject[] | undefined) ?? [updates]);
    },
  };
}

export type ChatCalls = ReturnType<typeof chatCalls>;

/** The names of updates; of a service message its action. */
export const namesOf = (updates: readonly TlObject[]): string[] =>
  updates.map((update) => update['message']?.action?._ ?? update._);

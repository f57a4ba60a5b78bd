import type { AuthKey, TlObject } from '../../../sandbox/rpc.ts';
import { accessHash } from '../../../sandbox/world/access-hash.ts';
import { openWorldFixture, type WorldFixture } from './world-fixture.ts';

/** A world whose differences come in slices of three, and Ann's device, which sends. */
export interface SendingFixture extends WorldFixture {
  ann: AuthKey;
  family: TlObject;
  user(viewer: number, id: number): TlObject;
  channel(viewer: number, id: number): TlObject;
  /** Sends a text; its answer. */
  send(peer: TlObject, message: string, more?: Record<string, unknown>): Promise<TlObject>;
  lastRandomId(): bigint;
}

export async function openSendingFixture(): Promise<SendingFixture> {
  const fixture = await openWorldFixture({ differenceSlice: 3 });
  const ann = await fixture.logIn(1001);
  fixture.pushed.length = 0;
  let lastRandomId = 0n;
  return {
    ...fixture,
    ann,
    family: { _: 'inputPeerChat', chat_id: 2001n },
    user: (viewer, id) => ({
      _: 'inputPeerUser',
      user_id: BigInt(id),
      access_hash: accessHash(fixture.world, viewer, 'user', id),
    }),
    channel: (viewer, id) => ({
      _: 'inputPeerChannel',
      channel_id: BigInt(id),
      access_hash: accessHash(fixture.world, viewer, 'channel', id),
    }),
    send: (peer, message, more = {}) => {
      lastRandomId += 1n;
      return fixture.call(ann, 'messages.sendMessage', { peer, message, random_id: lastRandomId, ...more });
    },
    lastRandomId: () => lastRandomId,
  };
}

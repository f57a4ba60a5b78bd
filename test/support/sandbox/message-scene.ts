import type { AuthKey, TlObject } from '../../../sandbox/rpc.ts';
import { knownLayers, schemaOfLayer } from '../../../sandbox/tl/layers.ts';
import { accessHash } from '../../../sandbox/world/access-hash.ts';
import { openWorldFixture } from './world-fixture.ts';

export const annId = 1001;
export const bobId = 1002;
export const caraId = 1003;
export const makersId = 3001;
export const dailyId = 4001;

/** What Telegram refuses a call with. */
export const refusedWith = (text: string, code = 400) => ({ code, text });

/**
 * Ann and Cara with a device each. Each answer and each push is also written in every known layer, as for a client:
 * what cannot be written fails the test.
 */
export async function openMessageScene(options: Parameters<typeof openWorldFixture>[0] = {}) {
  const fixture = await openWorldFixture(options);
  const { world, pushed } = fixture;
  const ann = await fixture.logIn(annId);
  const cara = await fixture.logIn(caraId);
  pushed.length = 0;
  let lastRandomId = 0n;
  const owners = new Map<AuthKey, number>([
    [ann, annId],
    [cara, caraId],
  ]);

  const requireWritable = (method: string, answer: TlObject): void => {
    for (const layer of knownLayers()) {
      const schema = schemaOfLayer(layer);
      if (schema.definition(method)) schema.writeResult(method, answer);
      for (const { updates } of pushed) schema.write(updates);
    }
  };
  const call = async (key: AuthKey, method: string, params: Record<string, unknown> = {}): Promise<TlObject> => {
    const answer = await fixture.call(key, method, params);
    requireWritable(method, answer);
    return answer;
  };
  const ownerOf = (key: AuthKey): number => owners.get(key) ?? 0;

  const scene = {
    ...fixture,
    ann,
    cara,
    call,
    family: { _: 'inputPeerChat', chat_id: 2001n } as TlObject,
    self: { _: 'inputPeerSelf' } as TlObject,
    nextRandomId: () => (lastRandomId += 1n),
    /** One more device. */
    async logIn(userId: number): Promise<AuthKey> {
      const key = await fixture.logIn(userId);
      owners.set(key, userId);
      return key;
    },
    user: (key: AuthKey, id: number): TlObject => ({
      _: 'inputPeerUser',
      user_id: BigInt(id),
      access_hash: accessHash(world, ownerOf(key), 'user', id),
    }),
    channel: (key: AuthKey, id: number): TlObject => ({
      _: 'inputPeerChannel',
      channel_id: BigInt(id),
      access_hash: accessHash(world, ownerOf(key), 'channel', id),
    }),
    /** Sends a text, and returns its ID. */
    async send(key: AuthKey, peer: TlObject, message: string, more: Record<string, unknown> = {}): Promise<number> {
      const answer = await call(key, 'messages.sendMessage', {
        peer,
        message,
        random_id: scene.nextRandomId(),
        ...more,
      });
      return answer['id'] ?? answer['updates'][0].id;
    },
    /** The newest messages of a chat, newest first. */
    async history(key: AuthKey, peer: TlObject, limit = 20): Promise<TlObject[]> {
      const answer = await call(key, 'messages.getHistory', { peer, limit, offset_id: 0, add_offset: 0 });
      return answer['messages'];
    },
    /** The updates pushed to one device since it was last asked. */
    pushedTo(key: AuthKey): TlObject[] {
      const own = pushed.filter(({ keyIds }) => keyIds.includes(key.id)).map(({ updates }) => updates);
      pushed.splice(0, pushed.length, ...pushed.filter(({ keyIds }) => !keyIds.includes(key.id)));
      return own.flatMap((updates) => (updates._ === 'updates' ? (updates['updates'] as TlObject[]) : [updates]));
    },
    state: (key: AuthKey) => call(key, 'updates.getState'),
    /** What a device has missed since `state`. */
    missed: (key: AuthKey, { pts, qts, date }: TlObject) => call(key, 'updates.getDifference', { pts, qts, date }),
  };
  return scene;
}

export type MessageScene = Awaited<ReturnType<typeof openMessageScene>>;

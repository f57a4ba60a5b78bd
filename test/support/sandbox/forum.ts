import type { TlObject } from '../../../sandbox/rpc.ts';
import { accessHash } from '../../../sandbox/world/access-hash.ts';
import { ann, bob, type Scene } from '../e2e/scene.ts';
import { RawLogin } from './walk/raw-login.ts';

export interface Forum {
  /** As the gateway names it. */
  id: string;
  /** Its five topics beside General. */
  topics: number[];
}

/** A supergroup of Ann's with five topics, `Topic 1` to `Topic 5`, in which Bob is a member. */
export async function makeForum({ sandbox, telegram }: Scene): Promise<Forum> {
  const wanted = { kind: 'supergroup', title: 'Forum', count: 1 };
  const [made] = await sandbox.call<{ peer: string }[]>('POST', `/accounts/${ann}/groups`, wanted);
  const id = made?.peer ?? '';
  await sandbox.call('PUT', `/chats/${id}/members/${bob}`, { role: 'member' });
  const channelId = Number(id.slice('-100'.length));
  const hash = accessHash(telegram.world, Number(ann), 'channel', channelId);
  const channel = { _: 'inputChannel', channel_id: BigInt(channelId), access_hash: hash };
  const login = await RawLogin.open(telegram, Number(ann), 198);
  try {
    await login.call('channels.toggleForum', { channel, enabled: true, tabs: false });
    const topics: number[] = [];
    for (let count = 1; count <= 5; count += 1) {
      const topic = { channel, title: `Topic ${count}`, random_id: BigInt(count) };
      const { updates } = await login.call('channels.createForumTopic', topic);
      const opening = (updates as TlObject[]).find(({ _: name }) => name === 'updateNewChannelMessage');
      topics.push(opening?.['message']?.id as number);
    }
    return { id, topics };
  } finally {
    login.close();
  }
}

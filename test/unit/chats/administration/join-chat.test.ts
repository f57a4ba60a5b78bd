import { describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { joinChat } from '../../../../src/chats/administration/join-chat.ts';
import { ChatCache } from '../../../../src/chats/chat-cache.ts';
import type { TelegramAccount } from '../../../../src/telegram/port/account.ts';
import type { Joined, WayIn } from '../../../../src/telegram/port/administration.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';

/** Which links lead in by their secret, and which by a public name. */

const clock = createDrivenClock();

async function join(link: string, answer: Joined = { id: '-1003001' }): Promise<{ ways: WayIn[]; id: string }> {
  const ways: WayIn[] = [];
  const account = {
    ended: new LightAbort(),
    byUsername: (username: string) => Promise.resolve({ kind: 'group', id: `-100${username.length}` }),
    administration: {
      join: (_kind: string, way: WayIn) => {
        ways.push(way);
        return Promise.resolve(answer);
      },
    },
  } as unknown as TelegramAccount;
  const id = await joinChat({ service: { account, cache: new ChatCache(clock), clock }, kind: 'group' }, link);
  return { ways, id };
}

describe('joinChat', () => {
  it.each([
    'https://t.me/+AbC-d_9',
    'http://www.t.me/joinchat/AbC-d_9',
    't.me/+AbC-d_9?x=1',
    'telegram.me/joinchat/AbC-d_9/',
    'tg://join?invite=AbC-d_9',
    'tg://join/?a=b&invite=AbC-d_9',
    ' https://T.ME/+AbC-d_9 ',
  ])('[GX1.6] %j is an invite link', async (link) => {
    expect((await join(link)).ways).toEqual([{ by: 'link', hash: 'AbC-d_9' }]);
  });

  it.each(['@makers', 'makers', 't.me/makers', 'https://telegram.me/makers/', 'tg://resolve?domain=makers'])(
    '[GX1.6] %j is a public name',
    async (link) => {
      expect((await join(link)).ways).toEqual([{ by: 'name', peer: { kind: 'group', id: '-1006' } }]);
    },
  );

  it('[GX1.6] a request that waits has no ID, and a chat of the other kind is not found', async () => {
    expect((await join('@makers', 'requested')).id).toBe('');
    await expect(join('@makers', 'other-kind')).rejects.toThrow('group not found');
    await expect(join('https://example.org/+AbC')).rejects.toThrow('invalid chat');
  });
});

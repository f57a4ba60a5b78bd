import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { expect, it } from 'vitest';
import { LruMap } from '../../../../../actors/kit/lru-map.ts';
import { createChatOnce } from '../../../../../src/telegram/gramjs/administration/create-chat.ts';
import type { RpcCall } from '../../../../../src/telegram/gramjs/connection/rpc-caller.ts';
import { PeerCache } from '../../../../../src/telegram/peer-cache.ts';

const made = new Api.Channel({
  id: bigInt(3009),
  title: 'Bridges',
  megagroup: true,
  photo: new Api.ChatPhotoEmpty(),
  date: 1,
});

/** Makes a supergroup; Telegram answers with these chats. */
function make(chats: Api.TypeChat[]): ReturnType<typeof createChatOnce> {
  const answer = new Api.Updates({ updates: [], users: [], chats, date: 1, seq: 0 });
  const deps = {
    book: new PeerCache(),
    call: (async () => answer) as unknown as RpcCall,
    toGatewayTime: (seconds: number) => seconds * 1000,
    made: new LruMap<string, true>(10),
  };
  const chat = { kind: 'supergroup', name: 'Bridges', description: '', users: [] } as const;
  const begin = async () => ({ randomId: 1n, begunAt: 0 });
  return createChatOnce(deps, chat, begin, false, new AbortController().signal);
}

it('[GX1.1] what was made is a chat that the account can see, whatever else the answer names', async () => {
  const others = [
    new Api.ChatForbidden({ id: bigInt(2001), title: 'Closed' }),
    new Api.ChannelForbidden({ id: bigInt(3001), accessHash: bigInt(1), title: 'Closed' }),
  ];
  expect(await make([...others, made])).toEqual({ id: '-1003009', missing: [], isFound: false });
  await expect(make(others)).rejects.toThrow('did not say which it is');
});

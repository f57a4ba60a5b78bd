import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import type { Permission } from '../../port/administration.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputChannel, inputPeer } from '../peers/input-peer.ts';
import { basicGroup, unlessSo } from './unless-so.ts';

type Banned = ConstructorParameters<typeof Api.ChatBannedRights>[0];
type Ban = Exclude<keyof Banned, 'untilDate'>;

/** What Telegram forbids for a permission that is not given. */
const bansOf: Record<Permission, readonly Ban[]> = {
  messages: ['sendPlain'],
  media: ['sendMedia', 'sendPhotos', 'sendVideos', 'sendRoundvideos', 'sendAudios', 'sendVoices', 'sendDocs'],
  stickers: ['sendStickers', 'sendGifs', 'sendGames', 'sendInline'],
  polls: ['sendPolls'],
  links: ['embedLinks'],
  invite: ['inviteUsers'],
  pin: ['pinMessages'],
  info: ['changeInfo'],
};
const bans: readonly Ban[] = [...Object.values(bansOf).flat(), 'viewMessages', 'sendMessages', 'manageTopics'];

/** Changes what the members of a group may do; what is left out stays, and a permission of another name is ignored. */
export async function permit(
  call: RpcCall,
  chat: KnownPeer,
  permissions: Partial<Record<Permission, boolean>>,
  signal: LightAbortSignal,
): Promise<void> {
  const forbidden = await forbiddenIn(call, chat, signal);
  for (const [permission, banned] of Object.entries(bansOf) as [Permission, readonly Ban[]][]) {
    const isGiven = permissions[permission];
    if (isGiven === undefined) continue;
    for (const ban of banned) {
      if (isGiven) forbidden.delete(ban);
      else forbidden.add(ban);
    }
    // It forbids texts and all the others.
    if (permission === 'messages' && isGiven) forbidden.delete('sendMessages');
  }
  const rights = Object.fromEntries(Array.from(forbidden, (ban) => [ban, true]));
  const request = new Api.messages.EditChatDefaultBannedRights({
    peer: inputPeer(chat),
    bannedRights: new Api.ChatBannedRights({ ...rights, untilDate: 0 }),
  });
  await unlessSo(call, request, signal);
}

async function forbiddenIn(call: RpcCall, chat: KnownPeer, signal: LightAbortSignal): Promise<Set<Ban>> {
  const request =
    chat.hash === undefined
      ? new Api.messages.GetChats({ id: [basicGroup(chat)] })
      : new Api.channels.GetChannels({ id: [inputChannel(chat)] });
  const { chats } = await call<Api.messages.GetChats | Api.channels.GetChannels>(request, signal);
  const [now] = chats;
  const rights = now instanceof Api.Chat || now instanceof Api.Channel ? now.defaultBannedRights : undefined;
  return new Set(bans.filter((ban) => rights?.[ban] === true));
}

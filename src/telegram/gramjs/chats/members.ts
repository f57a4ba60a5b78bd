import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { ChatMember } from '../../port/chats.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { long } from '../peers/text-entities.ts';
import { usernameOf } from './joined-chat.ts';

/** Telegram's maximum for one answer (GR3). */
const pageSize = 200;

/** Up to `limit` members of a supergroup, each once. */
export async function supergroupMembers(
  call: RpcCall,
  channel: Api.TypeInputChannel,
  limit: number,
  signal: LightAbortSignal,
): Promise<ChatMember[]> {
  const members = new Map<string, ChatMember>();
  for (let offset = 0; members.size < limit; ) {
    const answer = await call(
      new Api.channels.GetParticipants({
        channel,
        // The list of recent members ends early; an empty search returns all.
        filter: new Api.ChannelParticipantsSearch({ q: '' }),
        offset,
        limit: pageSize,
        hash: long(0n),
      }),
      signal,
    );
    if (!(answer instanceof Api.channels.ChannelParticipants)) break;
    addMembers(members, answer.participants.map(memberId), answer.users);
    offset += answer.participants.length;
    if (answer.participants.length === 0 || offset >= answer.count) break;
  }
  return [...members.values()].slice(0, limit);
}

/** The members of a basic group. Telegram sends them with the group; empty if it hides them. */
export function basicGroupMembers({ fullChat, users }: Api.messages.ChatFull, limit: number): ChatMember[] {
  const members = new Map<string, ChatMember>();
  if (fullChat instanceof Api.ChatFull && fullChat.participants instanceof Api.ChatParticipants) {
    const ids = fullChat.participants.participants.map(({ userId }) => userId.toString());
    addMembers(members, ids, users);
  }
  return [...members.values()].slice(0, limit);
}

function addMembers(
  members: Map<string, ChatMember>,
  ids: readonly (string | undefined)[],
  users: readonly Api.TypeUser[],
): void {
  const known = new Map(users.map((user) => [user.id.toString(), user]));
  for (const id of ids) {
    if (id !== undefined) members.set(id, chatMember(id, known.get(id)));
  }
}

/** Undefined for a member who left or was removed, and for a channel. */
function memberId(participant: Api.TypeChannelParticipant): string | undefined {
  return 'userId' in participant ? participant.userId.toString() : undefined;
}

function chatMember(id: string, user: Api.TypeUser | undefined): ChatMember {
  if (!(user instanceof Api.User)) return { id, name: '', username: '', phone: '' };
  return {
    id,
    name: [user.firstName, user.lastName].filter(Boolean).join(' '),
    username: usernameOf(user),
    phone: (user.phone ?? '').replace(/\D/g, ''),
  };
}

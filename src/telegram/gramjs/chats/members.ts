import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { ChatMember } from '../../port/chats.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { long } from '../peers/text-entities.ts';
import { usernameOf } from './joined-chat.ts';

/** As many as Telegram gives in one answer (GR3). */
const pageSize = 200;

/** The members of a supergroup, at most `limit`, each once. */
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
        // The list of recent ones ends early: a search for nothing gives them all.
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

/** The members of a basic group: Telegram gives them with the group itself. Empty where it hides them. */
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

/** Undefined for who has left, was put out, or is no user but a channel. */
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

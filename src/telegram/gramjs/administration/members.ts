import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import type { MissingUsers } from '../../port/administration.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputChannel, inputPeer, inputUser } from '../peers/input-peer.ts';
import { basicGroup, unlessSo } from './unless-so.ts';

/** Messages that a new member of a basic group sees of those before, as clients ask for it. */
const seenBefore = 100;

/** The users that a basic group has, by ID. */
export async function memberIdsOf(
  call: RpcCall,
  group: KnownPeer,
  signal: LightAbortSignal,
): Promise<ReadonlySet<string>> {
  const { fullChat } = await call(new Api.messages.GetFullChat({ chatId: basicGroup(group) }), signal);
  const { participants } = fullChat as Api.ChatFull;
  const list = participants instanceof Api.ChatParticipants ? participants.participants : [];
  return new Set(list.map(({ userId }) => userId.toString()));
}

/** @returns the users whom their own settings keep out */
export async function inviteUsers(
  call: RpcCall,
  chat: KnownPeer,
  users: readonly KnownPeer[],
  signal: LightAbortSignal,
): Promise<MissingUsers> {
  const missing: MissingUsers = [];
  const ask = async (request: Api.messages.AddChatUser | Api.channels.InviteToChannel): Promise<void> => {
    const answer = await unlessSo(call, request, signal);
    missing.push(...(answer?.missingInvitees ?? []).map(({ userId }) => userId.toString()));
  };
  if (chat.hash !== undefined) {
    if (users.length > 0) {
      await ask(new Api.channels.InviteToChannel({ channel: inputChannel(chat), users: users.map(inputUser) }));
    }
    return missing;
  }
  for (const user of users) {
    const request = { chatId: basicGroup(chat), userId: inputUser(user), fwdLimit: seenBefore };
    await ask(new Api.messages.AddChatUser(request));
  }
  return missing;
}

/** Of a supergroup or channel, they are on its list of removed users: administrators can add them again. */
export async function expelUsers(
  call: RpcCall,
  chat: KnownPeer,
  users: readonly KnownPeer[],
  signal: LightAbortSignal,
): Promise<void> {
  for (const user of users) {
    const request =
      chat.hash === undefined
        ? new Api.messages.DeleteChatUser({ chatId: basicGroup(chat), userId: inputUser(user) })
        : new Api.channels.EditBanned({
            channel: inputChannel(chat),
            participant: inputPeer(user),
            // Without an end.
            bannedRights: new Api.ChatBannedRights({ viewMessages: true, untilDate: 0 }),
          });
    await unlessSo(call, request, signal);
  }
}

type Rights = ConstructorParameters<typeof Api.ChatAdminRights>[0];

/** What clients give a new administrator. */
const usualOf: Record<'group' | 'channel', readonly (keyof Rights)[]> = {
  group: ['changeInfo', 'deleteMessages', 'banUsers', 'inviteUsers', 'pinMessages', 'manageCall', 'other'],
  channel: ['changeInfo', 'postMessages', 'editMessages', 'deleteMessages', 'inviteUsers', 'manageCall', 'other'],
};

/** @throws {TelegramError} the account may not name administrators, or the user is no member */
export async function setAdministrator(
  call: RpcCall,
  chat: KnownPeer,
  userId: Api.InputUser,
  isAdmin: boolean,
  signal: LightAbortSignal,
): Promise<void> {
  if (chat.hash === undefined) {
    await call(new Api.messages.EditChatAdmin({ chatId: basicGroup(chat), userId, isAdmin }), signal);
    return;
  }
  const channel = inputChannel(chat);
  const names = isAdmin ? await grantable(call, chat, signal) : [];
  const adminRights = new Api.ChatAdminRights(Object.fromEntries(names.map((name) => [name, true])));
  await call(new Api.channels.EditAdmin({ channel, userId, adminRights, rank: '' }), signal);
}

/** Nobody but the creator gives rights that they do not have. */
async function grantable(call: RpcCall, chat: KnownPeer, signal: LightAbortSignal): Promise<readonly (keyof Rights)[]> {
  const usual = usualOf[chat.kind === 'channel' ? 'channel' : 'group'];
  const { chats } = await call(new Api.channels.GetChannels({ id: [inputChannel(chat)] }), signal);
  const [own] = chats;
  if (!(own instanceof Api.Channel) || own.creator === true || !own.adminRights) return usual;
  const { adminRights } = own;
  return usual.filter((name) => adminRights[name] === true);
}

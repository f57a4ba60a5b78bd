import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer, PeerCache } from '../../peer-cache.ts';
import type { Joined, WayIn } from '../../port/administration.ts';
import { TelegramError } from '../../port/errors.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputChannel } from '../peers/input-peer.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { knownPeerOf, learnPeersOf } from '../peers/peers-in-updates.ts';
import { basicGroup, unlessSo } from './unless-so.ts';

interface JoinDeps {
  book: PeerCache;
  call: RpcCall;
}

/** Joins by a link or a public name. The account may be in the chat already. */
export async function joinByRequest(
  deps: JoinDeps,
  kind: 'group' | 'channel',
  way: WayIn,
  signal: LightAbortSignal,
): Promise<Joined> {
  try {
    return way.by === 'link'
      ? await joinByLink(deps, kind, way.hash, signal)
      : await joinByName(deps, kind, knownPeer(deps.book, way.peer), signal);
  } catch (error) {
    if (error instanceof TelegramError && error.errorName === 'INVITE_REQUEST_SENT') return 'requested';
    throw error;
  }
}

async function joinByLink(
  { book, call }: JoinDeps,
  kind: 'group' | 'channel',
  hash: string,
  signal: LightAbortSignal,
): Promise<Joined> {
  const invite = await call(new Api.messages.CheckChatInvite({ hash }), signal);
  if (invite instanceof Api.ChatInviteAlready) {
    learnPeersOf(book, { chats: [invite.chat] });
    return joined(kind, knownPeerOf(invite.chat));
  }
  const isChannel =
    invite instanceof Api.ChatInvite ? invite.broadcast === true : knownPeerOf(invite.chat)?.kind === 'channel';
  if (isChannel !== (kind === 'channel')) return 'other-kind';
  const answer = await unlessSo(call, new Api.messages.ImportChatInvite({ hash }), signal);
  // Joined in between.
  if (answer === undefined) return joinByLink({ book, call }, kind, hash, signal);
  const chats = answer instanceof Api.Updates || answer instanceof Api.UpdatesCombined ? answer.chats : [];
  return joined(kind, knownPeerOf(chats[0]));
}

function joined(kind: 'group' | 'channel', peer: KnownPeer | undefined): Joined {
  // Stryker disable next-line ConditionalExpression: without it the next line throws
  if (peer === undefined) throw new Error('telegram let the account in but did not say where');
  return peer.kind === kind ? { id: peer.id } : 'other-kind';
}

async function joinByName(
  { call }: JoinDeps,
  kind: 'group' | 'channel',
  chat: KnownPeer,
  signal: LightAbortSignal,
): Promise<Joined> {
  if (chat.kind !== kind || chat.hash === undefined) return 'other-kind';
  await unlessSo(call, new Api.channels.JoinChannel({ channel: inputChannel(chat) }), signal);
  return { id: chat.id };
}

/** The account may have left it already. */
export async function leaveByRequest(call: RpcCall, chat: KnownPeer, signal: LightAbortSignal): Promise<void> {
  const request =
    chat.hash === undefined
      ? new Api.messages.DeleteChatUser({ chatId: basicGroup(chat), userId: new Api.InputUserSelf() })
      : new Api.channels.LeaveChannel({ channel: inputChannel(chat) });
  await unlessSo(call, request, signal);
}

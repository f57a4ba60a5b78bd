import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { ChatAdministration, InviteLink } from '../../port/administration.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';

/** Telegram's maximum for one answer. */
const maxInvites = 100;

/** The valid links of the account itself, the newest first. */
export async function exportedInvites(
  call: RpcCall,
  peer: Api.TypeInputPeer,
  signal: LightAbortSignal,
): Promise<InviteLink[]> {
  const adminId = new Api.InputUserSelf();
  const request = new Api.messages.GetExportedChatInvites({ peer, adminId, limit: maxInvites });
  const { invites } = await call(request, signal);
  return invites.flatMap((invite) => (invite instanceof Api.ChatInviteExported ? [inviteLink(invite)] : []));
}

export async function exportInvite(
  call: RpcCall,
  peer: Api.TypeInputPeer,
  { name, expires, limit, isApprovalNeeded }: Parameters<ChatAdministration['createInvite']>[1],
  signal: LightAbortSignal,
): Promise<InviteLink> {
  const request = new Api.messages.ExportChatInvite({
    peer,
    ...(name !== '' && { title: name }),
    ...(expires !== undefined && { expireDate: Math.floor(expires / 1000) }),
    ...(limit !== undefined && { usageLimit: limit }),
    ...(isApprovalNeeded && { requestNeeded: true }),
  });
  const invite = await call(request, signal);
  if (!(invite instanceof Api.ChatInviteExported)) throw new Error('telegram made no link');
  return inviteLink(invite);
}

function inviteLink(invite: Api.ChatInviteExported): InviteLink {
  const { link, title, date, expireDate, usageLimit, usage, requestNeeded } = invite;
  return {
    link,
    name: title ?? '',
    created: date * 1000,
    ...(expireDate && { expires: expireDate * 1000 }),
    ...(usageLimit && { limit: usageLimit }),
    uses: usage ?? 0,
    isApprovalNeeded: requestNeeded === true,
  };
}

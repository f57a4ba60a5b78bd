import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { withAnswerTimeout } from '../../errors/answer-timeout.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { MediaSource } from '../../media/outgoing/media-source.ts';
import type { MediaPreparation } from '../../media/outgoing/prepare.ts';
import type { Recipient } from '../../recipients/recipient.ts';
import { readUser, resolveUser } from '../../recipients/resolve-user.ts';
import type { TelegramAccount } from '../../telegram/port/account.ts';
import {
  type InviteLink,
  NeedsSupergroupError,
  type NewChatKind,
  type Permission,
} from '../../telegram/port/administration.ts';
import type { BeginSend, SendMark } from '../../telegram/port/outgoing.ts';
import type { Peer } from '../../telegram/port/peer.ts';
import { type ChatService, withChat } from '../chat-service.ts';

export interface AdministrationDeps {
  service: ChatService;
  kind: 'group' | 'channel';
}

export interface WantedChat {
  kind: NewChatKind;
  name: string;
  description: string;
  /** IDs or `@usernames`. */
  users: readonly string[];
}

/** What is left out stays. */
export interface ChatChange {
  name?: string | undefined;
  description?: string | undefined;
  picture?: MediaSource | undefined;
  permissions?: Partial<Record<Permission, boolean>> | undefined;
  /** Seconds between two messages of a member. */
  slowmode?: number | undefined;
}

/** A link as answers have it. */
export interface InviteObject {
  link: string;
  name: string;
  created: string;
  /** Empty: never. */
  expires: string;
  /** 0: as many as like to. */
  limit: number;
  uses: number;
  approval: boolean;
}

/**
 * Makes a group or channel, once for each key (GX1).
 * @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError}
 */
export function createChat(
  { account, clock }: Pick<ChatService, 'account' | 'clock'>,
  { kind, name, description, users }: WantedChat,
  begin: BeginSend,
  begun: SendMark | undefined,
): Promise<{ id: string; missing: string[] }> {
  const named = users.map(readUser);
  const work = async (signal: LightAbortSignal): Promise<{ id: string; missing: string[] }> => {
    const members = await resolveUsers(account, named, signal);
    const chat = { kind, name, description, users: members };
    return account.administration.create(chat, begin, begun !== undefined, signal);
  };
  return withAnswerTimeout(clock, work, account.ended);
}

/**
 * Changes a group or channel, one thing after the other: name, description, permissions, slow mode, picture.
 * @throws {GatewayError} 400, or the picture cannot be fetched. {@link TelegramError} {@link NotConnectedError}
 */
export function changeChat(
  deps: AdministrationDeps & { media: MediaPreparation },
  chatId: string,
  { name, description, picture, permissions, slowmode }: ChatChange,
): Promise<void> {
  const { account, cache } = deps.service;
  const { administration, chats } = account;
  return inChat(deps, chatId, async (chat, signal) => {
    if (name !== undefined) await administration.rename(chat, name, signal);
    if (description !== undefined) {
      await administration.describe(chat, description, signal);
      cache.forget(chats, chat);
    }
    if (permissions !== undefined) await administration.permit(chat, permissions, signal);
    if (slowmode !== undefined) await administration.setSlowMode(chat, slowmode, signal).catch(explain);
    if (picture === undefined) return;
    await deps.media.withPrepared(
      { type: 'image', ...picture },
      signal,
      ({ file }) => administration.setPicture(chat, file, signal),
      account.maxUploadBytes,
    );
  });
}

/**
 * Adds users, those who are in it already too.
 * @returns the IDs of those whom their own settings keep out
 * @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError}
 */
export function addMembers(deps: AdministrationDeps, chatId: string, users: readonly string[]): Promise<string[]> {
  const { account } = deps.service;
  return withUsers(deps, chatId, users, (chat, peers, signal) =>
    account.administration.addMembers(chat, peers, signal),
  );
}

/** @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function removeMembers(deps: AdministrationDeps, chatId: string, users: readonly string[]): Promise<void> {
  const { account } = deps.service;
  return withUsers(deps, chatId, users, (chat, peers, signal) =>
    account.administration.removeMembers(chat, peers, signal),
  );
}

/** @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function setRole(
  deps: AdministrationDeps,
  chatId: string,
  userId: string,
  role: 'admin' | 'member',
): Promise<void> {
  const { account } = deps.service;
  return withUsers(deps, chatId, [userId], async (chat, [user], signal) => {
    if (user !== undefined) await account.administration.setAdministrator(chat, user, role === 'admin', signal);
  });
}

/** The valid links of the account. @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function listInvites(deps: AdministrationDeps, chatId: string): Promise<InviteObject[]> {
  const { account } = deps.service;
  return inChat(deps, chatId, async (chat, signal) =>
    (await account.administration.invites(chat, signal)).map(inviteObject),
  );
}

/** @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function createInvite(
  deps: AdministrationDeps,
  chatId: string,
  { name, expires, limit, approval }: { name: string; expires?: number; limit?: number | undefined; approval: boolean },
): Promise<InviteObject> {
  const { account } = deps.service;
  const fields = { name, expires, limit, isApprovalNeeded: approval };
  return inChat(deps, chatId, async (chat, signal) =>
    inviteObject(await account.administration.createInvite(chat, fields, signal)),
  );
}

/** The account may have left it already. @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function leaveChat(deps: AdministrationDeps, chatId: string): Promise<void> {
  const { account } = deps.service;
  return inChat(deps, chatId, (chat, signal) => account.administration.leave(chat, signal));
}

function inChat<T>(
  { service, kind }: AdministrationDeps,
  chatId: string,
  act: (chat: Peer, signal: LightAbortSignal) => Promise<T>,
): Promise<T> {
  const work = (signal: LightAbortSignal): Promise<T> =>
    withChat(service, kind, chatId, signal, (chat) => act(chat, signal));
  return withAnswerTimeout(service.clock, work, service.account.ended);
}

function withUsers<T>(
  deps: AdministrationDeps,
  chatId: string,
  users: readonly string[],
  act: (chat: Peer, users: Peer[], signal: LightAbortSignal) => Promise<T>,
): Promise<T> {
  const named = users.map(readUser);
  return inChat(deps, chatId, async (chat, signal) =>
    act(chat, await resolveUsers(deps.service.account, named, signal), signal),
  );
}

async function resolveUsers(
  account: TelegramAccount,
  users: readonly Recipient[],
  signal: LightAbortSignal,
): Promise<Peer[]> {
  const peers: Peer[] = [];
  for (const user of users) peers.push(await resolveUser(account, user, signal));
  return peers;
}

function explain(error: unknown): never {
  if (error instanceof NeedsSupergroupError) throw new GatewayError(400, 'slowmode is for supergroups only');
  throw error;
}

function inviteObject({ link, name, created, expires, limit = 0, uses, isApprovalNeeded }: InviteLink): InviteObject {
  return {
    link,
    name,
    created: iso(created),
    expires: expires === undefined ? '' : iso(expires),
    limit,
    uses,
    approval: isApprovalNeeded,
  };
}

const iso = (time: number): string => new Date(time).toISOString();

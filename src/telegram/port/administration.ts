import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { BeginSend, OutgoingFile } from './outgoing.ts';
import type { Peer } from './peer.ts';

/** What a group or channel is that the account makes. */
export type NewChatKind = 'group' | 'supergroup' | 'channel';

export interface NewChat {
  kind: NewChatKind;
  name: string;
  /** Empty for a basic group. */
  description: string;
  users: readonly Peer[];
}

/** The IDs of users whom their own settings keep out. */
export type MissingUsers = string[];

/** What members of a group may do, beside its administrators. */
export type Permission = 'messages' | 'media' | 'stickers' | 'polls' | 'links' | 'invite' | 'pin' | 'info';

/** A link to join a group or channel with. Times are milliseconds since 1970. */
export interface InviteLink {
  link: string;
  name: string;
  created: number;
  expires?: number;
  /** How many may join with it; undefined: as many as like to. */
  limit?: number;
  /** How many have joined with it. */
  uses: number;
  /** An administrator lets each of them in. */
  isApprovalNeeded: boolean;
}

/** What leads into a group or channel: the secret part of a link, or a public one. */
export type WayIn = { by: 'link'; hash: string } | { by: 'name'; peer: Peer };

/** What became of joining: the chat's ID, a request that waits for an administrator, or a chat of another kind. */
export type Joined = { id: string } | 'requested' | 'other-kind';

/** Only supergroups have this setting. */
export class NeedsSupergroupError extends Error {
  override name = 'NeedsSupergroupError';
}

/**
 * Groups and channels that the connected account makes, changes, joins and leaves. What is so already is no error. Every
 * call throws {@link TelegramError} and {@link NotConnectedError}.
 */
export interface ChatAdministration {
  /**
   * Makes a chat once. Telegram knows no number of such a request: a chat of that name and kind that the account has
   * made since `begin` is taken for it.
   * @param mayBeMade an earlier request may have made it
   */
  create(
    chat: NewChat,
    begin: BeginSend,
    mayBeMade: boolean,
    signal: LightAbortSignal,
  ): Promise<{ id: string; missing: MissingUsers }>;
  rename(chat: Peer, name: string, signal: LightAbortSignal): Promise<void>;
  describe(chat: Peer, description: string, signal: LightAbortSignal): Promise<void>;
  setPicture(chat: Peer, picture: OutgoingFile, signal: LightAbortSignal): Promise<void>;
  /** What is left out stays. */
  permit(chat: Peer, permissions: Partial<Record<Permission, boolean>>, signal: LightAbortSignal): Promise<void>;
  /** @param seconds between two messages of a member; 0 for none @throws {NeedsSupergroupError} */
  setSlowMode(chat: Peer, seconds: number, signal: LightAbortSignal): Promise<void>;
  addMembers(chat: Peer, users: readonly Peer[], signal: LightAbortSignal): Promise<MissingUsers>;
  /** They come back only if an administrator adds them. */
  removeMembers(chat: Peer, users: readonly Peer[], signal: LightAbortSignal): Promise<void>;
  /** Makes a member an administrator, with the usual rights as far as the account has them, or an ordinary member. */
  setAdministrator(chat: Peer, user: Peer, isAdministrator: boolean, signal: LightAbortSignal): Promise<void>;
  /** Those of the account that are valid, up to 100. */
  invites(chat: Peer, signal: LightAbortSignal): Promise<InviteLink[]>;
  createInvite(
    chat: Peer,
    fields: { name: string; expires: number | undefined; limit: number | undefined; isApprovalNeeded: boolean },
    signal: LightAbortSignal,
  ): Promise<InviteLink>;
  join(kind: 'group' | 'channel', way: WayIn, signal: LightAbortSignal): Promise<Joined>;
  leave(chat: Peer, signal: LightAbortSignal): Promise<void>;
}

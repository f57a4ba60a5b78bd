import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { LruMap } from '../../../../actors/kit/lru-map.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import {
  type ChatAdministration,
  type InviteLink,
  type Joined,
  type MissingUsers,
  NeedsSupergroupError,
  type NewChat,
  type Permission,
  type WayIn,
} from '../../port/administration.ts';
import type { BeginSend, OutgoingFile } from '../../port/outgoing.ts';
import type { Peer } from '../../port/peer.ts';
import type { Upload } from '../files/upload-file.ts';
import { inputChannel, inputPeer, inputUser } from '../peers/input-peer.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { type CreateChatDeps, createChatOnce } from './create-chat.ts';
import { exportedInvites, exportInvite } from './invites.ts';
import { joinByRequest, leaveByRequest } from './join-chat.ts';
import { expelUsers, inviteUsers, memberIdsOf, setAdministrator } from './members.ts';
import { permit } from './permissions.ts';
import { basicGroup, unlessSo } from './unless-so.ts';

/** Chats of one account that are remembered: more than it may make in a day. */
const maxMade = 1_000;

export interface GramAdministrationDeps extends Omit<CreateChatDeps, 'made'> {
  upload: Upload;
}

/** Groups and channels that a connected account makes, changes, joins and leaves. */
export class GramChatAdministration implements ChatAdministration {
  readonly #deps: GramAdministrationDeps;
  readonly #made = new LruMap<string, true>(maxMade);

  constructor(deps: GramAdministrationDeps) {
    this.#deps = deps;
  }

  async create(
    chat: NewChat,
    begin: BeginSend,
    mayBeMade: boolean,
    signal: LightAbortSignal,
  ): Promise<{ id: string; missing: MissingUsers }> {
    const { id, missing, isFound } = await createChatOnce(
      { ...this.#deps, made: this.#made },
      chat,
      begin,
      mayBeMade,
      signal,
    );
    const made = this.#known({ kind: chat.kind === 'channel' ? 'channel' : 'group', id });
    const users = chat.users.map((user) => this.#known(user));
    // Telegram takes the description of the others when it makes them.
    if (chat.kind === 'group' && chat.description !== '') await this.describe(made, chat.description, signal);
    if (chat.kind !== 'group') return { id, missing: await inviteUsers(this.#deps.call, made, users, signal) };
    if (!isFound) return { id, missing };
    const members = await memberIdsOf(this.#deps.call, made, signal);
    return { id, missing: users.map((user) => user.id).filter((user) => !members.has(user)) };
  }

  async rename(chat: Peer, title: string, signal: LightAbortSignal): Promise<void> {
    const known = this.#known(chat);
    const request = isBasic(known)
      ? new Api.messages.EditChatTitle({ chatId: basicGroup(known), title })
      : new Api.channels.EditTitle({ channel: inputChannel(known), title });
    await unlessSo(this.#deps.call, request, signal);
  }

  async describe(chat: Peer, about: string, signal: LightAbortSignal): Promise<void> {
    const request = new Api.messages.EditChatAbout({ peer: inputPeer(this.#known(chat)), about });
    await unlessSo(this.#deps.call, request, signal);
  }

  async setPicture(chat: Peer, picture: OutgoingFile, signal: LightAbortSignal): Promise<void> {
    const known = this.#known(chat);
    const file = await this.#deps.upload(picture, signal);
    const photo = new Api.InputChatUploadedPhoto({ file });
    const request = isBasic(known)
      ? new Api.messages.EditChatPhoto({ chatId: basicGroup(known), photo })
      : new Api.channels.EditPhoto({ channel: inputChannel(known), photo });
    await unlessSo(this.#deps.call, request, signal);
  }

  permit(chat: Peer, permissions: Partial<Record<Permission, boolean>>, signal: LightAbortSignal): Promise<void> {
    return permit(this.#deps.call, this.#known(chat), permissions, signal);
  }

  async setSlowMode(chat: Peer, seconds: number, signal: LightAbortSignal): Promise<void> {
    const known = this.#known(chat);
    if (isBasic(known)) throw new NeedsSupergroupError(`${chat.id} is a basic group`);
    const request = new Api.channels.ToggleSlowMode({ channel: inputChannel(known), seconds });
    await unlessSo(this.#deps.call, request, signal);
  }

  addMembers(chat: Peer, users: readonly Peer[], signal: LightAbortSignal): Promise<MissingUsers> {
    const known = users.map((user) => this.#known(user));
    return inviteUsers(this.#deps.call, this.#known(chat), known, signal);
  }

  removeMembers(chat: Peer, users: readonly Peer[], signal: LightAbortSignal): Promise<void> {
    const known = users.map((user) => this.#known(user));
    return expelUsers(this.#deps.call, this.#known(chat), known, signal);
  }

  setAdministrator(chat: Peer, user: Peer, isAdministrator: boolean, signal: LightAbortSignal): Promise<void> {
    return setAdministrator(this.#deps.call, this.#known(chat), inputUser(this.#known(user)), isAdministrator, signal);
  }

  invites(chat: Peer, signal: LightAbortSignal): Promise<InviteLink[]> {
    return exportedInvites(this.#deps.call, inputPeer(this.#known(chat)), signal);
  }

  createInvite(
    chat: Peer,
    fields: Parameters<ChatAdministration['createInvite']>[1],
    signal: LightAbortSignal,
  ): Promise<InviteLink> {
    return exportInvite(this.#deps.call, inputPeer(this.#known(chat)), fields, signal);
  }

  join(kind: 'group' | 'channel', way: WayIn, signal: LightAbortSignal): Promise<Joined> {
    return joinByRequest(this.#deps, kind, way, signal);
  }

  leave(chat: Peer, signal: LightAbortSignal): Promise<void> {
    return leaveByRequest(this.#deps.call, this.#known(chat), signal);
  }

  #known(peer: Peer): KnownPeer {
    return knownPeer(this.#deps.book, peer);
  }
}

/** A basic group: it has no access hash. */
const isBasic = ({ hash }: KnownPeer): boolean => hash === undefined;

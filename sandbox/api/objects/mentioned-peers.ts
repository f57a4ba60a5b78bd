import type { TlObject } from '../../rpc.ts';
import { hasMet } from '../../world/privacy.ts';
import type { MessageRow } from '../../world/state/message-rows.ts';
import { type PeerRef, userPeer } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { recentReactors } from './messages/tl-reactions.ts';
import { tlChat } from './tl-chat.ts';
import { tlUser } from './tl-user.ts';

/** Collects the users and chats that an answer mentions: each answer has to include them. */
export class MentionedPeers {
  readonly #world: World;
  readonly #viewer: number;
  readonly #min: boolean;
  readonly #users = new Set<number>();
  readonly #chats = new Map<string, PeerRef>();

  /** `min`: users whom the viewer has not met become `min` users. */
  constructor(world: World, viewer: number, min = false) {
    this.#world = world;
    this.#viewer = viewer;
    this.#min = min;
  }

  add(...peers: PeerRef[]): this {
    for (const peer of peers) {
      if (peer.kind === 'user') this.#users.add(peer.id);
      else this.#chats.set(`${peer.kind}:${peer.id}`, peer);
    }
    return this;
  }

  addMessages(messages: readonly MessageRow[]): this {
    for (const row of messages) {
      this.add(row.peer);
      if (row.from !== undefined && !row.post) this.#users.add(row.from);
      this.add(...[row.forwarded?.from, row.forwarded?.saved?.peer].filter((peer) => peer !== undefined));
      this.add(...recentReactors(this.#world, row).map(({ user }) => userPeer(user)));
      for (const id of usersInAction(row.action)) this.#users.add(id);
      for (const entity of row.entities ?? []) {
        if (entity._ === 'messageEntityMentionName') this.#users.add(Number(entity['user_id']));
      }
    }
    return this;
  }

  get users(): TlObject[] {
    return [...this.#users].flatMap((id) => {
      const user = this.#world.tables.users.get(id);
      if (!user) return [];
      return [tlUser(this.#world, this.#viewer, user, this.#min && !hasMet(this.#world, this.#viewer, id))];
    });
  }

  get chats(): TlObject[] {
    return [...this.#chats.keys()].flatMap((key) => {
      const chat = this.#world.tables.chats.get(key);
      return chat ? [tlChat(this.#world, this.#viewer, chat)] : [];
    });
  }

  /** The two fields as answers have them. */
  lists(): { users: TlObject[]; chats: TlObject[] } {
    return { users: this.users, chats: this.chats };
  }
}

/** The users whom a service message names. */
function usersInAction(action: TlObject | undefined): number[] {
  if (!action) return [];
  const ids: (bigint | undefined)[] = [
    ...((action['users'] ?? []) as bigint[]),
    action['user_id'],
    action['inviter_id'],
  ];
  return ids.flatMap((id) => (typeof id === 'bigint' ? [Number(id)] : []));
}

import type { ServerKey } from './auth-key-registry.ts';
import type { Message } from './container.ts';
import { Outbox } from './outgoing-messages.ts';
import { Inbox } from './received-messages.ts';
import type { ServerContext } from './server-context.ts';

/** What a session asks of the connection that it talks through. */
export interface SessionLink {
  send(session: Session, message: Message): void;
}

/** A key keeps this many sessions that have no connection: a client that comes back with a new id leaves one behind. */
const MAX_DETACHED_SESSIONS = 8;
/** And this many in all: the oldest makes room. */
const MAX_SESSIONS = 200;

/** One MTProto session: outlives its connection, so that what got lost with one is sent again over the next. */
export class Session {
  readonly id: bigint;
  readonly key: ServerKey;
  readonly inbox = new Inbox();
  readonly outbox: Outbox;
  /** Set by the first call that does not say otherwise. */
  takesUpdates = false;
  private link: SessionLink | undefined;

  constructor(id: bigint, key: ServerKey, context: ServerContext) {
    this.id = id;
    this.key = key;
    this.outbox = new Outbox({
      nextId: context.nextMessageId,
      holdMs: () => context.faults.holdMs(key),
      send: () => {
        const { link } = this;
        return link && !context.faults.swallows(key) ? (message) => link.send(this, message) : undefined;
      },
    });
  }

  /** Has its key remember it. */
  keep(): void {
    const { sessions } = this.key;
    const oldest = sessions.size < MAX_SESSIONS ? undefined : sessions.keys().next().value;
    if (oldest !== undefined) sessions.delete(oldest);
    sessions.set(this.id, this);
  }

  get connected(): boolean {
    return this.link !== undefined;
  }

  /** The connection over which the client has shown itself last is the one it is answered on. */
  attach(link: SessionLink): void {
    if (this.link === link) return;
    this.link = link;
    this.outbox.repeat();
    this.outbox.wake();
  }

  detach(link: SessionLink): void {
    if (this.link !== link) return;
    this.link = undefined;
    const detached = [...this.key.sessions.values()].filter((session) => !session.connected);
    for (const session of detached.slice(0, -MAX_DETACHED_SESSIONS)) this.key.sessions.delete(session.id);
  }
}

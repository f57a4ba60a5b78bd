import { OutgoingMessages } from './outgoing-messages.ts';
import { ReceivedMessages } from './received-messages.ts';
import type { ServerAuthKey, Session, SessionConnection } from './server-auth-key.ts';
import type { ServerContext } from './server-context.ts';

/** Sessions without a connection that a key keeps: a client that reconnects with a new session ID leaves one behind. */
const MAX_DETACHED_SESSIONS = 8;
/** Sessions of a key in all. */
const MAX_SESSIONS = 200;

export class MtprotoSession implements Session {
  readonly id: bigint;
  readonly key: ServerAuthKey;
  readonly received = new ReceivedMessages();
  readonly outgoing: OutgoingMessages;
  takesUpdates = false;
  private connection: SessionConnection | undefined;

  constructor(id: bigint, key: ServerAuthKey, context: ServerContext) {
    this.id = id;
    this.key = key;
    this.outgoing = new OutgoingMessages({
      nextId: context.nextMessageId,
      holdMs: () => context.faults.holdMs(key),
      announces: () => context.faults.takeAnnouncement(key),
      send: () => {
        const { connection } = this;
        if (!connection || context.faults.swallows(key, connection.address)) return undefined;
        return (message) => connection.send(this, message);
      },
    });
  }

  register(): void {
    const { sessions } = this.key;
    const oldest = sessions.size < MAX_SESSIONS ? undefined : sessions.keys().next().value;
    if (oldest !== undefined) sessions.delete(oldest);
    sessions.set(this.id, this);
  }

  get isConnected(): boolean {
    return this.connection !== undefined;
  }

  attach(connection: SessionConnection): void {
    if (this.connection === connection) return;
    this.connection = connection;
    this.outgoing.repeat();
    this.outgoing.wake();
  }

  drop(): void {
    this.connection = undefined;
  }

  detach(connection: SessionConnection): void {
    if (this.connection !== connection) return;
    this.connection = undefined;
    const detached = [...this.key.sessions.values()].filter((session) => !session.isConnected);
    for (const session of detached.slice(0, -MAX_DETACHED_SESSIONS)) this.key.sessions.delete(session.id);
  }
}

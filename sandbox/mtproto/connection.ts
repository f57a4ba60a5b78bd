import type { Socket } from 'node:net';
import { decryptFromClient, ENVELOPE_BYTES, encryptToClient } from '../crypto/encrypted-message.ts';
import { randomLong } from '../crypto/numbers.ts';
import type { MtproxySecret } from '../net/mtproxy-secret.ts';
import { createTransport, type Transport } from '../net/transport.ts';
import { mtprotoSchema } from '../tl/layers.ts';
import { TlReader } from '../tl/reader.ts';
import type { MtprotoMessage } from './container.ts';
import { createHandshake, type Handshake } from './handshake.ts';
import { acceptsSalt, currentSalt } from './keys/server-salts.ts';
import { receiveMessage } from './receive-message.ts';
import { permanentKeyOf, type ServerAuthKey, type Session, type SessionConnection } from './server-auth-key.ts';
import type { ServerContext } from './server-context.ts';
import { MtprotoSession } from './session.ts';

/** The transport error for a key that the server does not know. */
const KEY_UNKNOWN = -404;
/** The transport error for too many new connections from one address. */
const TOO_MANY_CONNECTIONS = -429;
/** The transport error for a data centre that does not exist. */
const WRONG_DC = -444;
/** Telegram sees the address of a proxy, not that of its client. */
const PROXY_ADDRESS = 'proxy';
/** Salt, session ID, message ID, seqno and length stand before the body; at least 12 bytes of padding follow it. */
const HEADER_BYTES = 32;
const MIN_PADDING_BYTES = 12;
const MAX_PADDING_BYTES = 1024;

/** One TCP connection: answers the handshake, decrypts messages for the client's sessions and encrypts theirs. */
export class Connection implements SessionConnection {
  /** The key of the last message received. */
  key: ServerAuthKey | undefined;
  /** The address that the client connects from. */
  readonly address: string;
  /** Whether its client may still send. */
  isOpen = true;
  private readonly context: ServerContext;
  private readonly listenerDc: number;
  private readonly isTooMany: boolean;
  private readonly transport: Transport;
  private readonly usedKeys = new Set<ServerAuthKey>();
  private handshake: Handshake | undefined;
  private disconnectTimer: NodeJS.Timeout | undefined;

  /**
   * `dc` 0: the header of an obfuscated connection names the data centre. `isTooMany`: it gets -429, and is closed.
   * `proxy`: it came through an MTProxy with this secret.
   */
  constructor(
    socket: Socket,
    { dc, isTooMany, proxy }: { dc: number; isTooMany: boolean; proxy?: MtproxySecret | undefined },
    context: ServerContext,
    onClose: (connection: Connection) => void,
  ) {
    this.context = context;
    this.listenerDc = dc;
    this.isTooMany = isTooMany;
    this.address = proxy ? PROXY_ADDRESS : (socket.remoteAddress ?? '');
    const ended = (): void => {
      this.isOpen = false;
    };
    const closed = (): void => {
      ended();
      clearTimeout(this.disconnectTimer);
      for (const key of this.usedKeys) for (const session of key.sessions.values()) session.detach(this);
      onClose(this);
    };
    this.transport = createTransport(socket, { packet: (packet) => this.receive(packet), ended, closed }, proxy);
  }

  get dc(): number {
    return this.listenerDc || (this.transport.headerDc ?? 0);
  }

  cut(): void {
    this.transport.cut();
  }

  /** Sends a transport error, in plain text. */
  sendError(code: number): void {
    this.transport.sendError(code);
  }

  disconnectAfter(seconds: number): void {
    clearTimeout(this.disconnectTimer);
    this.disconnectTimer = setTimeout(() => {
      if (!this.context.faults.swallows(this.key, this.address)) this.transport.end();
    }, seconds * 1000).unref();
  }

  send(session: Session, { id, seqno, body }: MtprotoMessage): void {
    const { key } = session;
    const plain = Buffer.allocUnsafe(HEADER_BYTES + body.length);
    plain.writeBigInt64LE(currentSalt(key, this.context.worldNow()), 0);
    plain.writeBigInt64LE(session.id, 8);
    plain.writeBigInt64LE(id, 16);
    plain.writeInt32LE(seqno, 24);
    plain.writeInt32LE(body.length, 28);
    body.copy(plain, HEADER_BYTES);
    this.transport.send(encryptToClient(key.secret, key.idBytes, plain));
  }

  /** Answers an unreadable packet with -404. An error thrown here closes this connection only. */
  private receive(packet: Buffer): void {
    if (this.isTooMany) {
      this.transport.sendError(TOO_MANY_CONNECTIONS);
      this.transport.end();
    } else if (!this.context.hasDc(this.dc)) {
      this.transport.sendError(WRONG_DC);
      this.transport.end();
    } else if (packet.length < ENVELOPE_BYTES) this.transport.sendError(KEY_UNKNOWN);
    else if (packet.readBigInt64LE(0) === 0n) this.receivePlain(packet);
    else this.receiveEncrypted(packet);
  }

  private receivePlain(packet: Buffer): void {
    if (this.context.faults.swallows(this.key, this.address)) return;
    this.handshake ??= createHandshake(this.context, this.dc);
    let answer: Buffer;
    try {
      const reader = new TlReader(packet.subarray(16));
      answer = mtprotoSchema.write(
        this.handshake.answer(mtprotoSchema.readObject(new TlReader(reader.raw(reader.int())))),
      );
    } catch {
      this.handshake = undefined;
      this.transport.sendError(KEY_UNKNOWN);
      this.transport.end();
      return;
    }
    const header = Buffer.alloc(20);
    header.writeBigInt64LE(this.context.nextMessageId('answer'), 8);
    header.writeInt32LE(answer.length, 16);
    this.transport.send(Buffer.concat([header, answer]));
  }

  private receiveEncrypted(packet: Buffer): void {
    const { keys, faults } = this.context;
    const key = keys.find(packet.toString('hex', 0, 8));
    if (faults.swallows(key, this.address)) return;
    const plain = key?.dc === this.dc ? decryptFromClient(key.secret, packet) : undefined;
    if (!key || !plain) {
      this.transport.sendError(KEY_UNKNOWN);
      return;
    }
    if (this.key !== key && faults.refuses(key, this.address)) {
      this.transport.cut();
      return;
    }
    const errorCode = this.key === key ? undefined : faults.takeTransportError(key);
    if (errorCode !== undefined) {
      this.transport.sendError(errorCode);
      return;
    }
    this.key = key;
    this.usedKeys.add(key);
    this.handshake = undefined;
    const permanent = permanentKeyOf(key);
    if (this.context.keyUses.isDuplicate(permanent, this, this.context.worldNow())) {
      this.context.service.keyDuplicated?.(permanent.id);
    }
    this.receiveDecrypted(key, plain);
  }

  private receiveDecrypted(key: ServerAuthKey, plain: Buffer): void {
    const reader = new TlReader(plain);
    const salt = reader.long();
    const sessionId = reader.long();
    const id = reader.long();
    const seqno = reader.int();
    const length = reader.int();
    const padding = reader.left - length;
    if (length < 4 || length % 4 !== 0 || padding < MIN_PADDING_BYTES || padding > MAX_PADDING_BYTES) {
      this.transport.sendError(KEY_UNKNOWN);
      return;
    }
    const known = key.sessions.get(sessionId);
    const session = known ?? new MtprotoSession(sessionId, key, this.context);
    session.attach(this);
    const now = this.context.worldNow();
    if (!acceptsSalt(key, salt, now)) {
      session.outgoing.notify(
        mtprotoSchema.write({
          _: 'bad_server_salt',
          bad_msg_id: id,
          bad_msg_seqno: seqno,
          error_code: 48,
          new_server_salt: currentSalt(key, now),
        }),
      );
      return;
    }
    if (!known) {
      session.register();
      session.outgoing.push(
        mtprotoSchema.write({
          _: 'new_session_created',
          first_msg_id: id,
          unique_id: randomLong(),
          server_salt: currentSalt(key, now),
        }),
      );
    }
    receiveMessage(this.context, this, session, { id, seqno, body: reader.raw(length) });
  }
}

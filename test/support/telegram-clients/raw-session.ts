import { randomBytes } from 'node:crypto';
import { decryptFromServer, encryptToServer } from '../../../sandbox/crypto/encrypted-message.ts';
import { containerId, gzipPackedId, rpcResultId, unpack } from '../../../sandbox/mtproto/container.ts';
import type { TlObject } from '../../../sandbox/rpc.ts';
import { mtprotoSchema, schemaOfLayer } from '../../../sandbox/tl/layers.ts';
import { TlReader } from '../../../sandbox/tl/reader.ts';
import { clientMessageId } from './client-message-id.ts';
import type { RawConnection } from './raw-connection.ts';
import type { ClientKey } from './raw-handshake.ts';

/** A message of the server, as it stands in its packet: `packet` numbers the packets, so that containers show. */
export interface Received {
  id: bigint;
  seqno: number;
  packet: number;
  /** `{_: 'rpc_result', req_msg_id, result}`, a service message, or an update. */
  object: TlObject;
}

/** A session of a key over a connection: numbers, seals and opens messages. */
export class RawSession {
  readonly connection: RawConnection;
  readonly key: ClientKey;
  readonly id: bigint;
  readonly layer: number;
  salt: bigint;
  private content = 0;
  private packet = 0;
  private readonly received: Received[] = [];

  constructor(connection: RawConnection, key: ClientKey, { id = randomBytes(8).readBigInt64LE(), layer = 198 } = {}) {
    this.connection = connection;
    this.key = key;
    this.salt = key.salt;
    this.id = id;
    this.layer = layer;
  }

  seqno(contentRelated: boolean): number {
    return contentRelated ? this.content++ * 2 + 1 : this.content * 2;
  }

  /** Seals a body and sends it; gives its message id. */
  sendBody(body: Buffer, { id = clientMessageId(), seqno = this.seqno(true) } = {}): bigint {
    const header = Buffer.alloc(32);
    header.writeBigInt64LE(this.salt, 0);
    header.writeBigInt64LE(this.id, 8);
    header.writeBigInt64LE(id, 16);
    header.writeInt32LE(seqno, 24);
    header.writeInt32LE(body.length, 28);
    this.connection.send(encryptToServer(this.key.secret, this.key.id, Buffer.concat([header, body])));
    return id;
  }

  /** A message of MTProto's own. */
  service(object: TlObject, options: { id?: bigint; seqno?: number } = {}): bigint {
    return this.sendBody(mtprotoSchema.write(object), { seqno: this.seqno(false), ...options });
  }

  /** A call, as its layer writes it; `withLayer` says the layer and the device first. */
  call(query: TlObject, options: { id?: bigint; seqno?: number } = {}): bigint {
    return this.sendBody(schemaOfLayer(this.layer).write(query), options);
  }

  withLayer(query: TlObject): TlObject {
    const inited = { _: 'initConnection', api_id: 7, device_model: 'Raw', app_version: '1', lang_code: 'en', query };
    return { _: 'invokeWithLayer', layer: this.layer, query: inited };
  }

  /** The next message that fits, those before it dropped. Throws when the connection ends. */
  async next(fits: (message: Received) => boolean = () => true): Promise<Received> {
    for (;;) {
      const message = this.received.shift() ?? (await this.receive());
      if (message && fits(message)) return message;
    }
  }

  /** The result of a call; an `rpc_error` too. */
  async result(callId: bigint): Promise<unknown> {
    const { object } = await this.next(({ object: each }) => each._ === 'rpc_result' && each.req_msg_id === callId);
    return object.result;
  }

  /** All that has come up to the answer to a ping sent now: what is not among it has not been sent. */
  async untilPong(): Promise<Received[]> {
    const pingId = randomBytes(8).readBigInt64LE();
    this.service({ _: 'ping', ping_id: pingId });
    const before: Received[] = [];
    await this.next((message) => {
      before.push(message);
      return message.object._ === 'pong' && message.object.ping_id === pingId;
    });
    return before.slice(0, -1);
  }

  private async receive(): Promise<Received | undefined> {
    const packet = await this.connection.next();
    if (!packet) throw new Error('the connection has ended');
    if (packet.length === 4) throw new Error(`transport error ${packet.readInt32LE(0)}`);
    const plain = decryptFromServer(this.key.secret, packet);
    if (!plain) throw new Error('an envelope that this key does not open');
    const reader = new TlReader(plain);
    this.salt = reader.long();
    if (reader.long() !== this.id) throw new Error('a message for another session');
    this.packet++;
    this.received.push(...this.messages(reader.long(), reader.int(), reader.raw(reader.int())));
    return this.received.shift();
  }

  private messages(id: bigint, seqno: number, body: Buffer): Received[] {
    const reader = new TlReader(body);
    if (reader.uint() !== containerId) return [{ id, seqno, packet: this.packet, object: this.read(body) }];
    const count = reader.int();
    return Array.from({ length: count }, () =>
      this.messages(reader.long(), reader.int(), reader.raw(reader.int())),
    ).flat();
  }

  private read(body: Buffer): TlObject {
    const reader = new TlReader(body);
    const id = reader.uint();
    if (id === rpcResultId) {
      return {
        _: 'rpc_result',
        req_msg_id: reader.long(),
        packed: isPacked(reader),
        result: this.readAny(rest(reader)),
      };
    }
    return this.readAny(body) as TlObject;
  }

  private readAny(body: Buffer): unknown {
    const reader = new TlReader(body);
    const id = reader.uint();
    if (id === gzipPackedId) return this.readAny(unpack(reader.bytes()));
    const schema = mtprotoSchema.definition(id) ? mtprotoSchema : schemaOfLayer(this.layer);
    return schema.read(new TlReader(body));
  }
}

const rest = (reader: TlReader): Buffer => reader.buffer.subarray(reader.position);
const isPacked = (reader: TlReader): boolean => rest(reader).readUInt32LE(0) === gzipPackedId;

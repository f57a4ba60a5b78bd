import { subscribe as onMessage } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { Server, ServerCredentials, status, type UntypedHandleCall } from '@grpc/grpc-js';
import { GossipService } from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/serverfeatures_grpc_pb.js';
import { StreamsService } from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js';
import { AppendMemory } from './append-memory.ts';
import { append } from './appending.ts';
import { batchAppend } from './batch-appending.ts';
import { deleteSoftly, tombstone } from './deleting.ts';
import { EventLog } from './event-log.ts';
import { Faults } from './faults.ts';
import { type Member, tellMembers } from './gossip.ts';
import { type Endpoint, type KurrentNode, nodeListens, nodeStops, type ReadCall } from './node.ts';
import { read } from './reading.ts';
import { supportedMethods } from './server-features.ts';
import { failure } from './wire.ts';

export interface DoubleOptions {
  /** Of another server: a cluster shares one. */
  log?: EventLog;
  /** Only they are let in. */
  credentials?: { username: string; password: string };
  /** Servers before 21.10 have none. */
  batchAppend?: boolean;
}

/** HTTP/2 messages of a real server: an event may have 16 MB. */
const maxMessageBytes = 17 * 1024 * 1024;

/**
 * A KurrentDB node as a client sees it, on loopback: the protocol whole, a database in memory. Behaves as documented
 * for version 25.1; what is not there: projections, persistent subscriptions, access control lists, TLS.
 */
export class KurrentDbDouble implements KurrentNode {
  readonly log: EventLog;
  readonly memory = new AppendMemory();
  readonly faults = new Faults();
  readonly calls: Record<string, number> = {};
  readonly subscriptions = new Set<ReadCall>();
  readonly streamsRead: string[] = [];
  looked = 0;
  readonly authorization: string | undefined;
  /** Set where another node leads. */
  leader: Endpoint | undefined;
  /** What gossip tells; itself alone where nothing is set. */
  members: Member[] | undefined;
  port = 0;
  #batchAppend: boolean;
  #server: Server | undefined;

  constructor({ log = new EventLog(), credentials, batchAppend: withBatchAppend = true }: DoubleOptions = {}) {
    this.log = log;
    this.#batchAppend = withBatchAppend;
    if (credentials === undefined) return;
    const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
    this.authorization = `Basic ${pair}`;
  }

  /** For a client without TLS. More options go behind it with `&`. */
  get url(): string {
    return `kurrentdb://127.0.0.1:${this.port}?tls=false`;
  }

  /** Listens: on a free port the first time, on the same one again after a stop, with what was recorded. */
  async start(): Promise<this> {
    const server = new Server({ 'grpc.max_receive_message_length': maxMessageBytes });
    server.addService(StreamsService, {
      read: handler((call: ReadCall) => {
        void read(this, call);
      }),
      append: handler((...call: [never, never]) => append(this, ...call)),
      batchAppend: handler((call: never) => batchAppend(this, call)),
      delete: handler((...call: [never, never]) => deleteSoftly(this, ...call)),
      tombstone: handler((...call: [never, never]) => tombstone(this, ...call)),
    });
    server.addService(ServerFeaturesService, {
      getSupportedMethods: handler((_: never, answer: (error: null, methods: unknown) => void) => {
        if (!this.faults.silentFeatures) answer(null, supportedMethods(this.#batchAppend));
      }),
    });
    server.addService(GossipService, {
      read: handler((_: never, answer: (error: null, members: unknown) => void) => {
        answer(null, tellMembers(this.members ?? [{ host: '127.0.0.1', port: this.port, role: 'leader' }]));
      }),
    });
    this.port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`127.0.0.1:${this.port}`, ServerCredentials.createInsecure(), (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
    this.#server = server;
    nodeListens(this.port, this);
    return this;
  }

  /** Every connection breaks at once, as when the process is killed. What was recorded stays; its memory does not. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    nodeStops(this.port);
    this.memory.forget();
    server.forceShutdown();
    await new Promise<void>((resolve) => {
      server.tryShutdown(() => resolve());
    });
  }

  /** Ends the subscriptions that are open; new ones are taken. */
  cutSubscriptions(): void {
    for (const call of this.subscriptions)
      call.emit('error', failure(status.UNAVAILABLE, 'the subscription was dropped'));
  }
}

/** The generated definitions carry no types of the calls. */
const handler = (handle: (...call: never[]) => void): UntypedHandleCall => handle as unknown as UntypedHandleCall;

/** The real server sends small messages at once too; Node gives no other way to the sockets of a gRPC server. */
onMessage('net.server.socket', (message) => {
  if (message instanceof Object && 'socket' in message && message.socket instanceof Socket) {
    message.socket.setNoDelay(true);
  }
});

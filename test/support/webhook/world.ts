import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import type { ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import { createSessionCommands } from '../../../actors/runtime/session-commands.ts';
import type { Sessions } from '../../../actors/runtime/sessions.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../projections/projection-runner.ts';
import { createMediaLinks } from '../../../src/media/links/media-link.ts';
import { createOutbound, type Outbound } from '../../../src/outbound/outbound.ts';
import { openStore } from '../../../src/store/events/open-store.ts';
import { openVault, type Vault } from '../../../src/store/vault/vault.ts';
import type { AccountUpdate, ChatUser, UpdateRecord } from '../../../src/telegram/port/updates.ts';
import { Dispatcher } from '../../../src/webhook/deliver/dispatcher.ts';
import type { DispatcherDeps } from '../../../src/webhook/deliver/dispatcher-deps.ts';
import { dropWebhook } from '../../../src/webhook/deliver/drop-webhook.ts';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { createWanted } from '../../../src/webhook/places/wanted.ts';
import { SessionFollower } from '../../../src/webhook/record/follow-sessions.ts';
import { createWebhookRecording, type WebhookRecording } from '../../../src/webhook/record/record-updates.ts';
import type { PlacedEvent } from '../../../src/webhook/stream/delivery-events.ts';
import { createScriptedLinks, linkFact, type ScriptedLinks } from '../actors/scripted-link.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../kit/clock.ts';
import { whileTimePasses } from '../kit/passing-time.ts';
import { allReadable } from '../store/all-readable.ts';
import { createMemoryStore, MemoryDisk } from '../store/memory-store.ts';
import { createMemoryViewDatabase } from '../store/memory-view-database.ts';

/** A request to the endpoint. */
export interface Received {
  at: number;
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  payload: Payload;
}

/** How the endpoint responds. A request without a response hangs. */
export type Behaviour = (response: ServerResponse, received: Received) => void;

const token = 'secret of the receiver';

const person = (id: number): ChatUser => ({ id: String(id), name: `Person ${id}`, username: '', phone: '' });

/**
 * Everything from the record of updates to an endpoint's socket, as it is in the gateway. Time is driven. Telegram is
 * simulated, and so is the disk unless one is given.
 */
export class World {
  readonly clock: DrivenClock = createDrivenClock();
  readonly received: Received[] = [];
  readonly logLines: string[] = [];
  readonly log: Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;
  /** When the name of an endpoint was looked up. */
  readonly lookups: number[] = [];
  behaviour: Behaviour = (response) => response.end();
  readonly #random = createSeededRandomness(7, this.clock);
  readonly disk: MemoryDisk;
  readonly #records = new Map<string, { record: UpdateRecord; pts: number }>();
  #server: Server | undefined;
  links!: ScriptedLinks;
  store!: EventStore;
  vault!: Vault;
  views!: ProjectionRunner;
  sessions!: Sessions;
  dispatcher!: Dispatcher;
  outbound!: Outbound;
  recording!: WebhookRecording;
  follower!: SessionFollower;
  url = '';
  /** Whether the process owns its sessions. */
  isOwner = true;
  readonly ownership = { owns: (): boolean => this.isOwner, ownsPartition: (): boolean => this.isOwner };
  /** The events that could not be read: stream, revision and reason of each. */
  readonly unreadable = new Set<string>();
  readonly reportUnreadable: ReportUnreadable = ({ stream, revision, reason }) => {
    this.unreadable.add(`${stream} ${revision} ${reason}`);
  };
  readonly #storeUrl: string | undefined;

  constructor(storeUrl?: string, disk = new MemoryDisk()) {
    this.#storeUrl = storeUrl;
    this.disk = disk;
    const write = (fields: object, message: string): void =>
      void this.logLines.push(`${message} ${JSON.stringify(fields)}`);
    this.log = { info: write, warn: write, error: write };
  }

  async begin(): Promise<this> {
    this.#server = createServer((request, response) => {
      let raw = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        raw += text;
      });
      request.on('end', () => {
        const { url: path = '', headers } = request;
        const received = { at: this.clock.now(), path, headers, raw, payload: JSON.parse(raw) as Payload };
        this.received.push(received);
        this.behaviour(response, received);
      });
    });
    const server = this.#server;
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    await this.start();
    return this;
  }

  /** A gateway on what an earlier one left. */
  async start(): Promise<void> {
    const { clock, log } = this;
    const random = this.#random;
    this.store =
      this.#storeUrl === undefined
        ? createMemoryStore(clock, this.disk)
        : await openStore(this.#storeUrl, { clock, randomness: random, log });
    const { store } = this;
    const vault = openVault({
      store,
      masterKeys: [Buffer.alloc(32, 1)],
      clock,
      randomness: random,
      reportUnreadable: allReadable,
    });
    this.vault = vault;
    this.views = createProjectionRunner({
      store,
      database: createMemoryViewDatabase(),
      clock,
      onError: () => {},
      reportUnreadable: allReadable,
    });
    await this.views.start();
    this.links = createScriptedLinks();
    const { create: createTelegramSession } = this.links;
    this.sessions = createSessionCommands({
      store,
      sealer: vault,
      clock,
      random,
      createTelegramSession,
      node: 'test',
      reportUnreadable: allReadable,
    });
    await this.sessions.start();
    this.outbound = createOutbound({ clock, allowPrivate: true, resolve: (name) => this.#lookUp(name) });
    this.dispatcher = this.createDispatcher();
    const recordingDeps = {
      store,
      sealer: vault,
      clock,
      random,
      log,
      reportUnreadable: this.reportUnreadable,
      wanted: createWanted({ views: this.views, sealer: vault, readers: () => [] }),
      writes: new KeyedQueue(),
      onRecorded: (id: string, events: readonly PlacedEvent[]) => this.dispatcher.recorded(id, events),
    };
    this.recording = createWebhookRecording(recordingDeps);
    this.follower = new SessionFollower({
      ...recordingDeps,
      ownership: this.ownership,
      views: this.views,
      onOwnRecorded: (id) => this.recording.ownRecorded(id),
    });
    await this.follower.start();
    this.#records.clear();
    await this.dispatcher.start();
  }

  /** One that delivers nothing yet. What is recorded is told to the one that is `dispatcher` at that moment. */
  createDispatcher(options: Pick<DispatcherDeps, 'partitionOf'> = {}): Dispatcher {
    const { store, ownership, vault: sealer, views, outbound, clock, log, reportUnreadable } = this;
    return new Dispatcher({
      ...options,
      store,
      ownership,
      sealer,
      views,
      outbound,
      mediaLinks: createMediaLinks({ keys: [Buffer.alloc(32, 2)], publicUrl: () => 'https://gateway.test' }),
      clock,
      random: this.#random,
      log,
      reportUnreadable,
      endpointGone: (id, slot) => dropWebhook(this, id, slot),
    });
  }

  /** As a dead process. */
  async kill(): Promise<void> {
    this.follower.crash();
    this.dispatcher.crash();
    await this.outbound.close();
    await this.sessions.stop();
    await this.views.stop();
    if (this.#storeUrl !== undefined) await whileTimePasses(this.clock, this.store.close());
  }

  async end(): Promise<void> {
    await this.kill();
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  /** A session with this webhook, connected. */
  async session(url = this.url): Promise<string> {
    const { id, position } = await this.sessions.create({ webhook: { url, token } });
    await this.views.waitFor(position);
    await this.links.of(id).report(linkFact('LoggedIn', 1));
    return id;
  }

  async setWebhook(id: string, url: string | null): Promise<void> {
    const { position } = await this.sessions.setWebhook(id, url === null ? null : { url, token });
    await this.views.waitFor(position);
  }

  /** Messages come in, all in one turn of Telegram's: the text and the chat of each. */
  async arrive(id: string, messages: readonly { text: string; from: number }[]): Promise<void> {
    const at = this.clock.now();
    await this.record(
      id,
      messages.map(({ text, from }, index): AccountUpdate => {
        const message = { id: this.#pts(id) + index + 1, chatId: String(from), created: at, fromMe: false, text };
        return { type: 'message', at, missed: false, user: person(from), message };
      }),
    );
  }

  /** A message from each chat, in one turn; they are delivered, or refused. */
  async arriveFrom(id: string, ...chats: number[]): Promise<void> {
    await this.arrive(
      id,
      chats.map((from, index) => ({ text: `text ${index}`, from })),
    );
    await this.settle();
  }

  /** The endpoint refuses the chats with these IDs. */
  refuse(...chats: number[]): void {
    this.behaviour = (response, { payload }) => {
      const { chatId } = payload.data as { chatId: string };
      response.writeHead(chats.includes(Number(chatId)) ? 503 : 204).end();
    };
  }

  async record(id: string, updates: readonly AccountUpdate[]): Promise<void> {
    const held = this.#records.get(id) ?? { record: this.recording.open(id, 1, () => {}), pts: 0 };
    this.#records.set(id, held);
    const from = (await held.record.resume()) ?? { pts: 1, qts: 0, date: 0 };
    held.pts = from.pts + updates.length;
    await held.record.record(updates, from, { ...from, pts: held.pts });
  }

  /** What is read of delivery streams from here on, until the next start, is altered. */
  alterReads(alter: (event: RecordedEvent) => RecordedEvent): void {
    const { store } = this;
    const read = store.read.bind(store);
    store.read = async function* (stream, options) {
      for await (const event of read(stream, options)) yield stream.startsWith('delivery-') ? alter(event) : event;
    };
  }

  /** `.invalid` names do not exist (RFC 6761, section 6.4). */
  async #lookUp(name: string): Promise<string[]> {
    this.lookups.push(this.clock.now());
    if (name.endsWith('.invalid')) throw new Error(`no such name: ${name}`);
    return ['127.0.0.1'];
  }

  #pts(id: string): number {
    return this.#records.get(id)?.pts ?? 1;
  }

  /** Lets everything arrive that is in flight, except what hangs. Time stands still. */
  async settle(): Promise<void> {
    for (let quiet = 0, before = -1; quiet < 6; ) {
      for (let turn = 0; turn < 25; turn += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
      const now = this.received.length + this.dispatcher.backlog.delivered + this.dispatcher.backlog.failed;
      quiet = now === before ? quiet + 1 : 0;
      before = now;
    }
  }

  /** Goes from timer to timer for so long. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    await this.settle();
    for (let dueAt = this.clock.nextDueAt(); dueAt !== undefined && dueAt <= end; dueAt = this.clock.nextDueAt()) {
      await this.clock.advance(dueAt - this.clock.now());
      await this.settle();
    }
    await this.clock.advance(end - this.clock.now());
  }
}

/** The texts of what came, of one chat or of all; a repeated one counts once. */
export function texts(received: readonly Received[], chatId?: number): string[] {
  const seen = new Set<string>();
  const found: string[] = [];
  for (const { payload } of received) {
    if (!('chatId' in payload.data && 'text' in payload.data) || seen.has(payload.id)) continue;
    seen.add(payload.id);
    if (chatId === undefined || payload.data.chatId === String(chatId)) found.push(payload.data.text);
  }
  return found;
}

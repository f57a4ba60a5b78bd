import type { Clock, Randomness, TimerHandle } from '../../../actors/ports/clock.ts';
import type { Cluster, ClusterNode } from '../../cluster/cluster.ts';
import { dial } from '../../websocket/turn-socket.ts';
import { hopHeader, signHop } from '../hop-header.ts';
import { digestOf } from '../node-calls.ts';
import { type EncodedItem, encodeItems } from './channel-message.ts';
import { ChannelSeal, channelSealBytes } from './channel-seal.ts';
import { NodeChannel } from './node-channel.ts';

export const channelPath = '/nodes/channel';

/** Of an answer. Those of commands are a few lines of JSON. */
const maxPayloadBytes = 64 * 1024 * 1024;
/** How long a node is not asked for a channel after it refused one, as a node of an older version does. */
const notAgainMs = 30_000;
/** A channel without a request for this time is closed, and opened again when it is needed. */
const idleMs = 60_000;

export interface NodeChannelsDeps {
  cluster: Pick<Cluster, 'self'>;
  /** `CLUSTER_KEY` */
  clusterKey: string;
  clock: Clock;
  random: Pick<Randomness, 'uuid'>;
}

/** What is known of the channel to a node. */
type Standing =
  | { kind: 'opening' }
  /** `count` of requests when it was last looked at. */
  | { kind: 'open'; channel: NodeChannel; count: number }
  /** By the clock's `elapsed()`. */
  | { kind: 'refused'; at: number };

/** The channels to the other nodes. While there is none to a node, requests go there one by one. */
export class NodeChannels {
  readonly #deps: NodeChannelsDeps;
  /** By the name of the node, which is another one after each start. */
  readonly #standings = new Map<string, Standing>();
  #timer: TimerHandle | undefined;
  #isClosed = false;

  constructor(deps: NodeChannelsDeps) {
    this.#deps = deps;
  }

  /** Undefined if there is none. */
  to({ name }: Pick<ClusterNode, 'name'>): NodeChannel | undefined {
    const standing = this.#standings.get(name);
    return standing?.kind === 'open' && standing.channel.isUsable ? standing.channel : undefined;
  }

  /** To a node that has just answered: opens a channel for the next requests, if there is none. */
  open(node: ClusterNode): void {
    const standing = this.#standings.get(node.name);
    const mayOpen = standing === undefined || (standing.kind === 'refused' && this.#isOver(standing));
    if (this.#isClosed || !mayOpen) return;
    this.#standings.set(node.name, { kind: 'opening' });
    void this.#dial(node);
  }

  /** Ends what is in flight. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    for (const standing of this.#standings.values()) if (standing.kind === 'open') standing.channel.terminate();
  }

  async #dial({ name, url }: ClusterNode): Promise<void> {
    const { cluster, clusterKey, clock, random } = this.#deps;
    const id = random.uuid();
    const about = { from: cluster.self.name, to: name, at: clock.now(), reqId: id, client: '', waitMs: 0 };
    const target = { method: 'GET', url: channelPath };
    const headers = { [hopHeader]: signHop(clusterKey, { ...about, digest: digestOf('') }, target) };
    const seal = new ChannelSeal(clusterKey, id);
    const encode = (items: readonly EncodedItem[]): Buffer => seal.seal(encodeItems(items, channelSealBytes));
    try {
      const address = `${url.replace(/^http/, 'ws')}${channelPath}`;
      const socket = await dial<EncodedItem>(address, { headers, maxPayloadBytes, encode });
      if (this.#isClosed) return socket.terminate();
      const channel: NodeChannel = new NodeChannel(socket, clock, () => {
        const standing = this.#standings.get(name);
        if (standing?.kind === 'open' && standing.channel === channel) this.#standings.delete(name);
      });
      this.#standings.set(name, { kind: 'open', channel, count: -1 });
    } catch {
      this.#standings.set(name, { kind: 'refused', at: clock.elapsed() });
    }
    this.#tidy();
  }

  /** Closes channels that are idle, and forgets what is known of nodes that may be gone. */
  #tidy(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    const { clock } = this.#deps;
    this.#timer = clock.setTimeout(() => {
      this.#timer = undefined;
      for (const [name, standing] of this.#standings) {
        if (standing.kind === 'open') {
          const { channel, count } = standing;
          standing.count = channel.count;
          if (channel.count === count) channel.retire();
        } else if (standing.kind === 'refused' && this.#isOver(standing)) this.#standings.delete(name);
      }
      if (this.#standings.size > 0) this.#tidy();
    }, idleMs);
  }

  #isOver({ at }: Extract<Standing, { kind: 'refused' }>): boolean {
    return this.#deps.clock.elapsed() - at >= notAgainMs;
  }
}

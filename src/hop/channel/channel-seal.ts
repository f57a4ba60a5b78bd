import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256 */
export const channelSealBytes = 32;

/**
 * Seals the messages of one end of a channel, one after the other, under `CLUSTER_KEY`: what another one has written, or
 * written for another channel or another place in this one, has a wrong seal.
 */
export class ChannelSeal {
  readonly #clusterKey: string;
  readonly #channel: string;
  #count = 0;

  /** @param channel its ID, which the hop that has opened it has signed */
  constructor(clusterKey: string, channel: string) {
    this.#clusterKey = clusterKey;
    this.#channel = channel;
  }

  /** @param message the next one. Its first {@link channelSealBytes} are for the seal */
  seal(message: Buffer): Buffer {
    this.#next(message.subarray(channelSealBytes)).copy(message);
    return message;
  }

  /** @param message the next one @returns what is sealed @throws Error the seal is wrong */
  open(message: Buffer): Buffer {
    const content = message.subarray(channelSealBytes);
    const expected = this.#next(content);
    const given = message.subarray(0, channelSealBytes);
    if (given.length !== channelSealBytes || !timingSafeEqual(given, expected)) throw new Error('the seal is wrong');
    return content;
  }

  /** The first line keeps it apart from what else may be signed with the key. */
  #next(content: Buffer): Buffer {
    this.#count += 1;
    const about = `gateway channel 1\n${this.#channel} ${this.#count}\n`;
    return createHmac('sha256', this.#clusterKey).update(about).update(content).digest();
  }
}

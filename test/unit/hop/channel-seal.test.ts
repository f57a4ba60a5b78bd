import { describe, expect, it } from 'vitest';
import { decodeItems, encodeItem, encodeItems } from '../../../src/hop/channel/channel-message.ts';
import { ChannelSeal, channelSealBytes } from '../../../src/hop/channel/channel-seal.ts';

const items = [
  { head: { kind: 'left', number: 1 }, body: Buffer.alloc(0) },
  { head: { kind: 'ü€😀', number: 2 }, body: Buffer.from([0, 255, 10, 13]) },
  { head: { kind: 'left', number: 3 }, body: Buffer.from('more') },
];
const message = (): Buffer => encodeItems(items.map(encodeItem), channelSealBytes);
const sealOf = (key = 'key', channel = 'channel'): ChannelSeal => new ChannelSeal(key, channel);

describe('a message of a channel', () => {
  it('[CL5.26] has its items, with bodies as they are', () => {
    expect(decodeItems(encodeItems(items.map(encodeItem)))).toEqual(items);
  });

  it('[CL5.28] is as long as its items say, and a few bytes', () => {
    const encoded = items.map(encodeItem);
    const bytes = encoded.reduce((sum, item) => sum + item.bytes, 0);
    expect(encodeItems(encoded)).toHaveLength(bytes + 4 + items.length + 1);
  });

  it('[CL5.26] is none if it is shorter than its heads say, or longer', () => {
    const whole = encodeItems(items.map(encodeItem));
    const reason = 'the bodies are not as long as their heads say';
    expect(() => decodeItems(whole.subarray(0, -1))).toThrow(reason);
    expect(() => decodeItems(Buffer.concat([whole, Buffer.from('x')]))).toThrow(reason);
  });

  it('[CL5.26] is read behind its seal', () => {
    const [writer, reader] = [sealOf(), sealOf()];
    for (let count = 0; count < 3; count += 1) {
      expect(decodeItems(reader.open(writer.seal(message())))).toEqual(items);
    }
  });

  it.each([
    ['of another key', () => sealOf('another key').seal(message())],
    ['of another channel', () => sealOf('key', 'another').seal(message())],
    [
      'of another place',
      () => {
        const writer = sealOf();
        writer.seal(message());
        return writer.seal(message());
      },
    ],
    [
      'that was changed',
      () => {
        const sealed = sealOf().seal(message());
        sealed[sealed.length - 1] = 0;
        return sealed;
      },
    ],
    ['that is too short', () => Buffer.alloc(8)],
  ])('[CL5.26] [CL5.2] is refused if it is one %s', (_name, forge) => {
    expect(() => sealOf().open(forge())).toThrow('the seal is wrong');
  });
});

import bigInt from 'big-integer';
import fc from 'fast-check';
import { MTProtoState } from 'telegram/network/MTProtoState.js';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { numberMessagesTogether } from '../../../../../src/telegram/gramjs/library/message-ids.ts';
import { inputPeer } from '../../../../../src/telegram/gramjs/peers/input-peer.ts';
import { plainTextRequest } from '../../../../../src/telegram/gramjs/sending/plain-text-request.ts';
import type { KnownPeer } from '../../../../../src/telegram/peer-cache.ts';

const peers: KnownPeer[] = [
  { kind: 'user', id: '1001', hash: '-8123456789012345678' },
  { kind: 'group', id: '-2001' },
  { kind: 'group', id: '-1003001', hash: '42' },
  { kind: 'channel', id: '-1004001', hash: '7' },
];
const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 240, maxLength: 4200 }));

describe('a plain text on the wire', () => {
  it('[MS1.1] is byte for byte what GramJS makes of the same request', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...peers),
        texts,
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).filter((id) => id !== 0n),
        fc.boolean(),
        (peer, message, randomId, silent) => {
          const theirs = new Api.messages.SendMessage({
            peer: inputPeer(peer),
            message,
            randomId: bigInt(randomId),
            silent,
          });
          const ours = plainTextRequest(peer, message, randomId, silent);
          expect(ours.getBytes().toString('hex')).toBe(theirs.getBytes().toString('hex'));
          expect([ours.className, ours.classType]).toEqual([theirs.className, theirs.classType]);
        },
      ),
    );
  });
});

describe("a connection's message IDs", () => {
  it('[SE8.1] grow, are divisible by four and follow the time, also when the time is set back', async () => {
    const state = new MTProtoState(undefined, { debug: () => undefined }, true);
    numberMessagesTogether(state);
    const ids: bigint[] = [];
    const draw = (count: number): void => {
      for (let i = 0; i < count; i++) ids.push(BigInt(state._getNewMsgId().toString()));
    };
    draw(50);
    await new Promise(setImmediate);
    draw(50);
    expect(ids.every((id, index) => id % 4n === 0n && (index === 0 || id > (ids[index - 1] ?? 0n)))).toBe(true);
    const seconds = Number((ids.at(-1) ?? 0n) >> 32n);
    state.updateTimeOffset(bigInt(((BigInt(seconds) - 3600n) << 32n).toString()));
    const earlier = BigInt(state._getNewMsgId().toString()) >> 32n;
    expect(Number(earlier)).toBeLessThan(seconds - 3000);
  });
});

import { describe, expect, it } from 'vitest';
import { BrokenSealError } from '../../../../actors/ports/sealer.ts';
import { type Binding, contextOf, openBytes, sealBytes } from '../../../../src/store/vault/sealing.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';

const key = Buffer.alloc(32, 1);
const binding: Binding = { purpose: 'text', owner: 's1' };
const random = createSeededRandomness(1, createDrivenClock());
const seal = (content: string): string => sealBytes(key, binding, 'e1', Buffer.from(content), random);

describe('a sealed text', () => {
  it.each(['', 'a', 'a longer text'])('[SE11.1] opens as it was: %o', (content) => {
    const sealed = seal(content);
    expect(openBytes(key, binding, sealed).toString()).toBe(content);
    expect(contextOf(sealed)).toBe('e1');
  });

  it('[SE11.1] is broken if a part is missing, too short, too long or too many', () => {
    const [version, context, nonce, body] = seal('text').split('.') as [string, string, string, string];
    const short = Buffer.alloc(11).toString('base64url');
    const shorterThanTag = Buffer.alloc(15).toString('base64url');
    const broken = [
      '',
      version,
      [version, context].join('.'),
      [version, context, nonce].join('.'),
      [version, context, nonce, shorterThanTag].join('.'),
      [version, context, short, body].join('.'),
      [version, context, `${nonce}AAAA`, body].join('.'),
      ['v2', context, nonce, body].join('.'),
      [version, context, nonce, body, ''].join('.'),
    ];
    for (const sealed of broken) {
      expect(() => contextOf(sealed)).toThrow(BrokenSealError);
      expect(() => openBytes(key, binding, sealed)).toThrow(BrokenSealError);
    }
  });

  it('[SE11.1] does not open for another owner, purpose, context or key', () => {
    const sealed = seal('text');
    const moved = sealed.replace('ZTE', Buffer.from('e2').toString('base64url'));
    expect(() => openBytes(key, { ...binding, owner: 's2' }, sealed)).toThrow('of session s2 does not open');
    expect(() => openBytes(key, { ...binding, purpose: 'key' }, sealed)).toThrow(BrokenSealError);
    expect(() => openBytes(key, binding, moved)).toThrow(BrokenSealError);
    expect(() => openBytes(Buffer.alloc(32, 2), binding, sealed)).toThrow(BrokenSealError);
  });
});

import { describe, expect, it } from 'vitest';
import { holderOfKey, ownerByKey } from '../../../../src/http/access/caller.ts';
import { readerWish } from '../../../../src/http/reader/reader-wish.ts';
import type { IssuedKey } from '../../../../src/keys/issued-key.ts';

const holderFor = (chats: string[]) =>
  holderOfKey({ id: 'k', name: 'agent', scopes: ['accounts'], chats } as unknown as IssuedKey);

describe('the wish of a reader', () => {
  it('[KY5.5] of a key with chats is bound each time, whatever was kept of it', () => {
    const agent = holderFor(['1002', '-2001']);
    const { filter, first } = readerWish({ reader: 'desk' }, agent);
    expect(filter).toEqual({ isBound: true });
    expect({ ...first, ...filter }).toMatchObject({ chats: ['1002', '-2001'], isBound: true });
    expect(readerWish({ reader: 'desk', chats: ['1002'] }, agent).filter).toEqual({ chats: ['1002'], isBound: true });
  });

  it('[KY5.5] of another caller is not bound, and has the name that it gave', () => {
    const { name, filter } = readerWish({ reader: 'desk', chats: 'all' }, ownerByKey);
    expect([name, filter]).toEqual(['desk', { chats: 'all' }]);
  });

  it('[KY5.5] keys with the same chats in another order share the name, others do not', () => {
    const nameOf = (chats: string[]): string => readerWish({ reader: 'desk' }, holderFor(chats)).name;
    expect(nameOf(['1002', '-2001'])).toBe(nameOf(['-2001', '1002']));
    expect(nameOf(['1002'])).not.toBe(nameOf(['1002', '-2001']));
  });
});

import { describe, expect, it } from 'vitest';
import { type CustomerLink, endOfLink, evolveLink, stateOfLink } from '../../../src/links/customer-link.ts';
import type { LinkEventContent, RecordedLinkEvent } from '../../../src/links/link-codec.ts';

/** A link as the fold of its events. */

const id = '01a1fdb0-52e1-7f30-9c1a-3f1f6a7d0b11';
const issued = {
  type: 'LinkIssued',
  data: { id, hash: 'a'.repeat(64), expires: 1000, settings: { key: 'k', text: 't' } },
} as const;
const opened = (isNew: boolean) => ({ type: 'LinkOpened', data: { sessionId: 's1', isNew } }) as const;
const used = { type: 'LinkUsed', data: { sessionId: 's1' } } as const;
const withdrawn = { type: 'LinkWithdrawn', data: {} } as const;

type Content = Pick<LinkEventContent, 'type' | 'data'>;

const fold = (...events: Content[]): CustomerLink | undefined =>
  events.reduce<CustomerLink | undefined>((link, content, revision) => {
    const place = { stream: `link-${id}`, revision, position: BigInt(revision), created: 0, id: `e${revision}` };
    const metadata = { at: 100 + revision, author: 'owner' };
    return evolveLink(link, { ...place, ...content, metadata } as RecordedLinkEvent);
  }, undefined);

describe('a link', () => {
  it('[OS5.1] is open until its time, and then expired', () => {
    const link = fold(issued) as CustomerLink;
    expect(link).toMatchObject({ id, by: 'owner', created: 100, sessionsMade: 0, revision: 0 });
    expect(stateOfLink(link, 999)).toBe('open');
    expect(stateOfLink(link, 1000)).toBe('expired');
    expect(endOfLink(link)).toBe(1000);
  });

  it('[OS5.4] counts the sessions that it made, not those that it found', () => {
    expect(fold(issued, opened(true), opened(false), opened(true))).toMatchObject({ sessionsMade: 2, sessionId: 's1' });
  });

  it('[OS5.5] keeps its first end', () => {
    expect(fold(issued, opened(true), used, withdrawn)).toMatchObject({ end: { how: 'used', at: 102 } });
    const link = fold(issued, withdrawn, used) as CustomerLink;
    expect(link.end).toEqual({ how: 'withdrawn', at: 101 });
    expect(stateOfLink(link, 0)).toBe('withdrawn');
    expect(endOfLink(link)).toBe(101);
  });

  it('[FA7.1] of which the beginning cannot be read is none', () => {
    expect(fold(opened(true), used)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import type { Unreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { idOfSecret, secretText } from '../../../src/keys/secret-text.ts';
import { startRegistry } from '../../support/keys/registry.ts';
import { createDrivenClock } from '../../support/kit/clock.ts';
import { failureOf } from '../../support/kit/failure-of.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

const hourMs = 3_600_000;
const still = (): void => {};
const wish = { name: 'desk', scopes: ['sessions:read' as const] };

async function twoNodes() {
  const clock = createDrivenClock();
  const store = createMemoryStore(clock);
  const one = (await startRegistry(store, { clock })).keys;
  const other = (await startRegistry(store, { clock, seed: 2 })).keys;
  return { clock, store, one, other };
}

async function recordedIn(store: EventStore) {
  const events = [];
  for await (const event of store.read('keys')) events.push(event);
  return events;
}

describe('the keys', () => {
  it('[KY1.1] are events with the hash alone, and are there after a start', async () => {
    const { clock, store, one } = await twoNodes();
    const { key, text } = await one.issue(wish, 'owner', still);
    expect(one.find(text)).toEqual(key);
    const events = await recordedIn(store);
    expect(events).toMatchObject([
      { type: 'KeyIssued', data: { id: key.id, name: 'desk' }, metadata: { author: 'owner', at: clock.now() } },
    ]);
    expect(JSON.stringify(events, (_name, value: unknown) => (typeof value === 'bigint' ? 0 : value))).not.toContain(
      text.slice(-43),
    );
    const { keys: later } = await startRegistry(store, { clock });
    expect(later.find(text)).toEqual(key);
    expect(later.list()).toEqual([key]);
  });

  it('[KY5.1] with chats are there after a start, and no gateway that knows no chats reads them', async () => {
    const { clock, store, one } = await twoNodes();
    const free = await one.issue(wish, 'owner', still);
    const bound = await one.issue({ ...wish, chats: ['1002', '-2001'] }, 'owner', still);
    await one.revoke(bound.key.id, 'owner', still);
    const versions = (await recordedIn(store)).map(({ type, metadata }) => [
      type,
      (metadata as { version?: number }).version,
    ]);
    // One of before is of version 1, and takes what is newer for unreadable.
    expect(versions).toEqual([
      ['KeyIssued', undefined],
      ['KeyIssued', 2],
      ['KeyRevoked', undefined],
    ]);
    const { keys: later } = await startRegistry(store, { clock });
    expect(later.list().map(({ id, chats }) => [id, chats])).toEqual([
      [free.key.id, undefined],
      [bound.key.id, ['1002', '-2001']],
    ]);
    expect(later.find(bound.text)).toBeUndefined();
  });

  it('[KY1.7] are found by the whole text alone', async () => {
    const { one } = await twoNodes();
    const { key, text } = await one.issue(wish, 'owner', still);
    const forged = secretText('key', key.id, Buffer.alloc(32, 7));
    expect(idOfSecret('key', forged)).toBe(key.id);
    for (const wrong of ['', 'tgw_', forged, `${text}x`, text.slice(0, -1), text.toUpperCase(), key.id, key.hash]) {
      expect(one.find(wrong)).toBeUndefined();
    }
  });

  it('[KY1.5] are revoked on every node, with what they have opened', async () => {
    const { clock, one, other } = await twoNodes();
    const { key, text } = await one.issue(wish, 'owner', still);
    await clock.settle();
    const ended: string[] = [];
    other.onEnd(key.id, () => ended.push('kept'));
    other.onEnd(key.id, () => ended.push('removed'))();
    expect(other.find(text)).toEqual(key);
    expect(await one.revoke(key.id, 'owner', still)).toBe(true);
    await clock.settle();
    expect(other.find(text)).toBeUndefined();
    expect(ended).toEqual(['kept']);
    expect(other.get(key.id)).toMatchObject({ revoked: clock.now() });
    expect(await other.revoke(key.id, 'owner', still)).toBe(false);
    expect(await other.revoke('unknown', 'owner', still)).toBe(false);
  });

  it('[KY1.5] expire by the clock, with what they have opened, also where it was set back', async () => {
    const { clock, one } = await twoNodes();
    const { key, text } = await one.issue({ ...wish, expires: clock.now() + hourMs }, 'owner', still);
    let isEnded = false;
    one.onEnd(key.id, () => {
      isEnded = true;
    });
    clock.setWallClockBy(-hourMs);
    await clock.advance(hourMs);
    expect([one.find(text)?.id, isEnded]).toEqual([key.id, false]);
    await clock.advance(hourMs - 1);
    expect([one.find(text)?.id, isEnded]).toEqual([key.id, false]);
    await clock.advance(1);
    expect([one.find(text)?.id, isEnded]).toEqual([undefined, true]);
    await one.stop();
  });

  it('[KY1.1] two nodes that write at the same time both succeed', async () => {
    const { clock, store, one, other } = await twoNodes();
    const issued = await Promise.all(
      [one, other, one, other].map((node, place) => node.issue({ ...wish, name: `key ${place}` }, 'owner', still)),
    );
    await clock.settle();
    expect(await recordedIn(store)).toHaveLength(4);
    for (const { text, key } of issued) expect([one.find(text), other.find(text)]).toEqual([key, key]);
  });

  it('[KY1.3] a key that ends while its request waits issues and revokes nothing', async () => {
    const { store, one } = await twoNodes();
    const { key } = await one.issue(wish, 'owner', still);
    const ended = (): void => {
      if (!one.isActive(key.id)) throw new Error('ended');
    };
    const [revoked, issue, revoke] = await Promise.all([
      one.revoke(key.id, 'owner', still),
      failureOf(one.issue(wish, 'desk', ended)),
      failureOf(one.revoke(key.id, 'desk', ended)),
    ]);
    expect([revoked, String(issue), String(revoke)]).toEqual([true, 'Error: ended', 'Error: ended']);
    expect(await recordedIn(store)).toHaveLength(2);
  });

  it('[FA7.1] what cannot be read is reported and passed over; other streams are none of theirs', async () => {
    const clock = createDrivenClock();
    const store = createMemoryStore(clock);
    const seen: Unreadable[] = [];
    const { keys } = await startRegistry(store, {
      clock,
      reportUnreadable: (unreadable) => void seen.push(unreadable),
    });
    const odd = { id: crypto.randomUUID(), type: 'KeyLent', data: {}, metadata: {} };
    await store.append('keys', 'any', [odd]);
    await store.append('keys-of-another', 'any', [{ ...odd, id: crypto.randomUUID() }]);
    const { text } = await keys.issue(wish, 'owner', still);
    expect(keys.find(text)).toMatchObject(wish);
    expect(seen).toMatchObject([{ kind: 'keys', stream: 'keys', revision: 0, reason: 'unknown-type' }]);
  });
});

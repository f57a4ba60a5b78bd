import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import {
  createEventCodec,
  isUnreadable,
  type Unreadable,
  type Upcaster,
} from '../../../../actors/ports/event-codec.ts';
import type { Json, RecordedEvent } from '../../../../actors/ports/event-store.ts';
import { UnreadableEvents } from '../../../../actors/ports/unreadable-events.ts';

type Lamp =
  | { type: 'Lit'; data: { watts: number }; metadata: { at: number } }
  | { type: 'PutOut'; data: { by?: string }; metadata: { at: number } };

const data = {
  Lit: Type.Object({ watts: Type.Number() }),
  PutOut: Type.Object({ by: Type.Optional(Type.String()) }),
};

/** A codec of the version that so many upcasters lead to. */
const codecOf = (...upcasters: Upcaster[]) =>
  createEventCodec<Lamp, typeof data, typeof metadata>({ kind: 'session', upcasters, data, metadata });
const metadata = Type.Object({ at: Type.Number() });

const recorded = (content: Partial<RecordedEvent>): RecordedEvent => ({
  id: 'e1',
  type: 'Lit',
  data: { watts: 40 },
  metadata: { at: 1 },
  stream: 'session-1',
  revision: 3,
  position: 9n,
  created: 5,
  ...content,
});

/** Version 1 had `power`, version 2 `strength`. */
const fromOne: Upcaster = ({ data: old, ...rest }) => ({ ...rest, data: { strength: (old as { power: Json }).power } });
const fromTwo: Upcaster = ({ data: old, ...rest }) => ({
  ...rest,
  data: { watts: Number((old as { strength: string }).strength.replace(' W', '')) },
});

describe('an event codec', () => {
  it('[FA7.1] gives an event of today as it is, with what it does not know of', () => {
    const event = recorded({ data: { watts: 40, colour: 'warm' }, metadata: { at: 1, version: 1, by: 'me' } });
    expect(codecOf().decode(event)).toBe(event);
  });

  it.each<[string, Partial<RecordedEvent>]>([
    ['broken-json', { data: null, metadata: null, damage: 'broken-json' }],
    ['not-json', { data: null, metadata: null, damage: 'not-json' }],
    ['no-metadata', { metadata: null }],
    ['newer-version', { metadata: { at: 1, version: 2 } }],
    ['newer-version', { type: 'Dimmed', data: 7, metadata: { version: 9 } }],
    ['unknown-type', { type: 'Dimmed' }],
    ['unknown-type', { type: 'constructor' }],
    ['wrong-shape', { data: { watts: '40' } }],
    ['wrong-shape', { data: {} }],
    ['wrong-shape', { data: null }],
    ['wrong-shape', { data: [] }],
    ['wrong-shape', { metadata: {} }],
    ['wrong-shape', { metadata: { at: 'now' } }],
    ['wrong-shape', { metadata: [] }],
    ['wrong-shape', { metadata: 'at 1' }],
    ['wrong-shape', { metadata: { at: 1, version: 0 } }],
    ['wrong-shape', { metadata: { at: 1, version: 1.5 } }],
    ['wrong-shape', { metadata: { at: 1, version: '2' } }],
    ['erased', { type: 'StreamErased', data: {}, metadata: {} }],
  ])('[FA7.1] says %s of %o', (reason, content) => {
    const decoded = codecOf().decode(recorded(content));
    expect(isUnreadable(decoded)).toBe(true);
    expect(decoded).toEqual({ kind: 'session', stream: 'session-1', revision: 3, position: 9n, reason });
  });

  it('[FA7.1] brings an older version up to today, step by step', () => {
    const codec = codecOf(fromOne, fromTwo);
    expect(codec.version).toBe(3);
    const oldest = recorded({ data: { power: '60 W' } });
    expect(codec.decode(oldest)).toEqual({ ...oldest, data: { watts: 60 } });
    const older = recorded({ data: { strength: '25 W' }, metadata: { at: 1, version: 2 } });
    expect(codec.decode(older)).toEqual({ ...older, data: { watts: 25 } });
    expect(older.data).toEqual({ strength: '25 W' });
    const today = recorded({ metadata: { at: 1, version: 3 } });
    expect(codec.decode(today)).toBe(today);
  });

  it('[FA7.1] calls the event of another program so, although an upcaster throws at it', () => {
    const codec = codecOf(() => {
      throw new TypeError('not a lamp');
    });
    expect(codec.decode(recorded({ type: 'Paid', metadata: {} }))).toMatchObject({ reason: 'unknown-type' });
  });

  it('[FA7.1] says so where an upcaster can make nothing of an event', () => {
    const codec = codecOf(fromOne, fromTwo);
    expect(codec.decode(recorded({ data: { power: 60 } }))).toMatchObject({ reason: 'wrong-shape' });
    expect(codec.decode(recorded({ data: { power: 'much' } }))).toMatchObject({ reason: 'wrong-shape' });
    expect(codec.decode(recorded({ data: null }))).toMatchObject({ reason: 'wrong-shape' });
  });

  it('[FA7.1] stamps what is written with its version, once there has been another', () => {
    expect(codecOf().stamp({ at: 1 })).toEqual({ at: 1 });
    const codec = codecOf(fromOne);
    const event = recorded({ metadata: codec.stamp({ at: 1 }) });
    expect(event.metadata).toEqual({ at: 1, version: 2 });
    expect(codec.decode(event)).toBe(event);
    expect(codecOf().decode(event)).toMatchObject({ reason: 'newer-version' });
  });
});

describe('the events that could not be read', () => {
  it('[FA7.1] are logged once each, without what they hold, and counted by the kind of their stream', () => {
    const said: unknown[] = [];
    const events = new UnreadableEvents({ warn: (fields, message) => said.push([message, fields]) });
    const first: Unreadable = {
      kind: 'session',
      stream: 'session-1',
      revision: 3,
      position: 9n,
      reason: 'no-metadata',
    };
    const second: Unreadable = { ...first, revision: 4, reason: 'broken-json' };
    const elsewhere: Unreadable = { ...first, kind: 'vault', stream: 'vault-1' };
    for (const unreadable of [first, second, first, elsewhere, second, first]) events.report(unreadable);
    expect(said).toEqual([
      ['an event cannot be read', { stream: 'session-1', revision: 3, reason: 'no-metadata' }],
      ['an event cannot be read', { stream: 'session-1', revision: 4, reason: 'broken-json' }],
      ['an event cannot be read', { stream: 'vault-1', revision: 3, reason: 'no-metadata' }],
    ]);
    expect(Object.fromEntries(events.counts)).toEqual({
      session: 2,
      delivery: 0,
      followed: 0,
      outbox: 0,
      send: 0,
      vault: 1,
      keys: 0,
      limit: 0,
      link: 0,
      place: 0,
      lease: 0,
      node: 0,
      usage: 0,
      webhook: 0,
    });
  });

  it('[FA7.1] do not include the end of a stream whose erasure was interrupted', () => {
    const events = new UnreadableEvents({ warn: () => expect.unreachable() });
    events.report({ kind: 'vault', stream: 'vault-1', revision: 3, position: 9n, reason: 'erased' });
    expect(events.counts.get('vault')).toBe(0);
  });
});

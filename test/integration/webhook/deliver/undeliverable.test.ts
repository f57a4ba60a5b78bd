import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RecordedEvent, StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { BrokenSealError, type Sealed } from '../../../../actors/ports/sealer.ts';
import { type ActiveWebhook, webhookIn } from '../../../../src/webhook/places/active-webhooks.ts';
import { texts, World } from '../../../support/webhook/world.ts';

const hourMs = 3_600_000;

let world: World;
let id: string;
beforeEach(async () => {
  world = await new World().begin();
  id = await world.session();
});
afterEach(() => world.end());

const arriving = [
  { text: 'first', from: 2000 },
  { text: 'broken', from: 2000 },
  { text: 'last', from: 2000 },
  { text: 'elsewhere', from: 2001 },
];

/** What stands in the event of the second message from here on. */
function replaceContent(content: (event: RecordedEvent) => unknown): void {
  world.alterReads((event) =>
    event.revision === 1 ? { ...event, data: { content: content(event) as string } } : event,
  );
}

describe('a delivery whose content can never be made', () => {
  const contents: Record<string, { content: () => Promise<(event: RecordedEvent) => unknown>; reason: string }> = {
    'a broken seal': {
      content: async () => (event) => `${(event.data as { content: string }).content.slice(0, -6)}AAAAAA`,
      reason: 'broken-seal',
    },
    'no seal at all': { content: async () => () => 'v1.broken', reason: 'broken-seal' },
    'sealed text that is no JSON': { content: () => sealedText('{"user": '), reason: 'wrong-shape' },
    'sealed JSON of another shape': { content: () => sealedText('{"user":{}}'), reason: 'wrong-shape' },
  };
  const sealedText = async (text: string): Promise<(event: RecordedEvent) => Sealed> => {
    const sealed = await world.vault.seal(id, 'a test', text);
    return () => sealed;
  };

  it.each(Object.entries(contents))(
    '[WH4.4] is parked at once with its reason, and the next of its chat is delivered: %s',
    async (_, { content, reason }) => {
      const error = reason === 'broken-seal' ? 'its content cannot be opened' : `its event cannot be read: ${reason}`;
      replaceContent(await content());
      await world.arrive(id, arriving);
      await world.settle();
      world.received.length = 0;
      const { parked: parkedBefore } = world.dispatcher.backlog;
      await world.dispatcher.replay(id, { from: 1 });
      await world.settle();
      expect(texts(world.received).toSorted()).toEqual(['elsewhere', 'first', 'last']);
      expect(texts(world.received, 2000)).toEqual(['first', 'last']);
      expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 1, lastError: error });
      expect(await world.dispatcher.parked(id, 0, 10)).toMatchObject([{ seq: 2, type: 'message', error }]);
      expect(world.dispatcher.backlog.parked - parkedBefore).toBe(1);
      await world.pass(27 * hourMs);
      expect(world.logLines).toEqual([]);
      expect([...world.unreadable]).toEqual([`delivery-${id} 1 ${reason}`]);
    },
  );
});

describe('many deliveries whose content can never be made', () => {
  it('[WH4.4] what cannot be opened is parked at once, however much it is, and holds up no others', async () => {
    const broken = Array.from({ length: 160 }, (_, index) => ({ text: `broken ${index}`, from: 1 + (index % 4) }));
    const sound = Array.from({ length: 20 }, (_, index) => ({ text: `sound ${index}`, from: 100 + index }));
    await world.arrive(id, [...broken, ...sound]);
    await world.settle();
    world.received.length = 0;
    world.alterReads((event) =>
      (event.metadata as { seq: number }).seq <= broken.length ? { ...event, data: { content: 'v1.broken' } } : event,
    );
    await world.dispatcher.replay(id, { from: 1 });
    await world.pass(10_000);
    expect(texts(world.received).toSorted()).toEqual(sound.map(({ text }) => text).toSorted());
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: broken.length });
  });
});

describe('a store that is away', () => {
  it('[WH4.2] has deliveries wait, parks none and is logged once a minute', async () => {
    world.behaviour = (response) => void response.writeHead(503).end();
    await world.arrive(id, arriving);
    await world.settle();
    world.behaviour = (response) => response.end();
    let isAway = true;
    const read = world.store.read.bind(world.store);
    world.store.read = (stream, options) => {
      if (isAway) throw new StoreUnavailableError('the store is away');
      return read(stream, options);
    };
    const linesBefore = world.logLines.length;
    await world.pass(5 * 60_000);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 4, parked: 0 });
    expect(world.logLines.slice(linesBefore).length).toBeLessThanOrEqual(6);
    isAway = false;
    await world.pass(60_000);
    expect(texts(world.received, 2000)).toEqual(['first', 'broken', 'last']);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 0 });
  });
});

describe('a webhook whose URL cannot be opened', () => {
  it('[WH4.2] has failed, and what waits goes out when it is set anew', async () => {
    const open = world.vault.open.bind(world.vault);
    const broken = world.views.get(id)?.webhook?.url;
    world.vault.open = async (sessionId, sealed) => {
      if (sealed === broken) throw new BrokenSealError('broken');
      return open(sessionId, sealed);
    };
    await world.arrive(id, arriving);
    await world.pass(hourMs);
    const error = 'its URL and token cannot be opened';
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 4, parked: 0, lastError: error });
    expect(world.dispatcher.backlog.failed).toBeLessThan(30);
    expect(world.logLines).toEqual([]);
    const webhook = webhookIn(world.views.get(id), 1) as ActiveWebhook;
    expect(await world.dispatcher.test(webhook)).toMatchObject({ delivered: false, error });
    await world.setWebhook(id, world.url);
    await world.settle();
    expect(texts(world.received, 2000)).toEqual(['first', 'broken', 'last']);
    expect(await world.dispatcher.status(id)).toMatchObject({ pending: 0, parked: 0 });
  });
});

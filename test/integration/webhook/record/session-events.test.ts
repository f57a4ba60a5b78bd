import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TelegramFact } from '../../../../actors/ports/telegram-session.ts';
import { webhookEventTypes } from '../../../../src/webhook/filter/event-filter.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { MemoryDisk } from '../../../support/store/memory-store.ts';
import { World } from '../../../support/webhook/world.ts';

const own = webhookEventTypes.filter((type) => type.startsWith('session.'));

let world: World;
let disk: MemoryDisk;
let id: string;
beforeEach(async () => {
  disk = new MemoryDisk();
  world = await new World(undefined, disk).begin();
});
afterEach(() => world.end());

async function create(events: readonly string[] = own): Promise<void> {
  const webhook = { url: world.url, token: 'token', events: [...events] };
  const created = await world.sessions.create({ webhook });
  await world.views.waitFor(created.position);
  ({ id } = created);
}
async function report(...facts: [type: TelegramFact['type'], login: number][]): Promise<void> {
  for (const [type, login] of facts) {
    await world.clock.advance(1);
    await world.links.of(id).report(linkFact(type, login));
  }
  await world.settle();
}
const told = () => world.received.map(({ payload: { type, data } }) => [type, ...Object.values(data)]);
const numbers = () => world.received.map(({ payload: { seq, previous } }) => [previous, seq]);

describe('events of a session itself', () => {
  it('[EV1.9] its webhook is told what it asks for, with state, reason and deadline', async () => {
    await create();
    const start = world.clock.now();
    const after = (ms: number): string => new Date(start + ms).toISOString();
    await report(['QrIssued', 1], ['PasswordRequested', 1], ['LoggedIn', 1], ['ConnectionLost', 1]);
    await report(['ConnectionRestored', 1], ['AccountChanged', 1], ['ProxyFailed', 1], ['LoginLost', 1]);
    await world.sessions.reset(id, {});
    await report(['QrIssued', 3], ['CodeSent', 3]);
    expect(told()).toEqual([
      ['session.qr', 'qrPending', 'created', after(3 * 60_000)],
      ['session.password', 'passwordRequired', 'password-requested', after(30 * 60_000 + 2)],
      ['session.connected', 'connected', 'logged-in', ''],
      ['session.disconnected', 'disconnected', 'unreachable', after(30 * 60_000 + 4)],
      ['session.connected', 'connected', 'connection-restored', ''],
      ['session.disconnected', 'disconnected', 'proxy-refused', after(30 * 60_000 + 7)],
      ['session.login-lost', 'qrPending', 'SESSION_REVOKED', after(3 * 60_000 + 8)],
      ['session.reset', 'qrPending', 'reset', after(3 * 60_000 + 8)],
      ['session.qr', 'qrPending', 'reset', after(3 * 60_000 + 8)],
      ['session.code', 'codeRequired', 'code-sent', after(5 * 60_000 + 10)],
    ]);
    expect(numbers()).toEqual(told().map((_, index) => [index, index + 1]));
    expect(JSON.stringify(world.received)).not.toContain('tg://login');
  });

  it('[EV1.9] they are numbered with the messages of the account, each once over crashes', async () => {
    await create(['message', 'session.connected', 'session.disconnected']);
    await report(['LoggedIn', 1]);
    await world.record(id, []);
    for (let round = 1; round <= 4; round += 1) {
      await world.arrive(id, [{ text: `text ${round}`, from: 2000 }]);
      await report(['ConnectionLost', 1], ['ConnectionRestored', 1]);
      await world.arrive(id, [{ text: `text ${round} again`, from: 2000 }]);
      if (round % 2 === 0) await world.pass(6_000);
      await world.kill();
      await world.start();
      await world.settle();
      await report(['ConnectionRestored', 1]);
    }
    const all = new Map(world.received.map(({ payload }) => [payload.seq, payload]));
    const inOrder = [...all.values()].toSorted((one, other) => one.seq - other.seq);
    expect(inOrder.map(({ seq, previous }) => [previous, seq])).toEqual(inOrder.map((_, index) => [index, index + 1]));
    expect(new Set(inOrder.map((payload) => payload.id)).size).toBe(inOrder.length);
    const round = [
      ['text', 'disconnected', 'connected', 'text'],
      // Of the start after the crash.
      ['disconnected', 'connected'],
    ].flat();
    const seen = inOrder.map(({ type, data }) => ('text' in data ? 'text' : type.replace('session.', '')));
    expect(seen).toEqual(['connected', ...[1, 2, 3, 4].flatMap(() => round)]);
  });

  it('[EV1.9] one that an unknown outcome hid is delivered once', async () => {
    await create(['session.connected']);
    const append = world.store.append.bind(world.store);
    let failures = 3;
    world.store.append = async (...given) => {
      const appended = await append(...given);
      if (given[0].startsWith('delivery-') && failures > 0) {
        failures -= 1;
        throw Object.assign(new Error('no answer'), { retryable: true });
      }
      return appended;
    };
    await report(['LoggedIn', 1]);
    await world.pass(5_000);
    expect(told().map(([type]) => type)).toEqual(['session.connected']);
    expect(failures).toBe(2);
  });

  it('[EV2.3] the record of messages begins as before for a webhook that was told of the session first', async () => {
    await create(['message']);
    await report(['LoggedIn', 1]);
    await world.record(id, []);
    await report(['ConnectionLost', 1]);
    const missedAt = world.clock.now();
    await world.clock.advance(60_000);
    const webhook = { url: `${world.url}/second`, token: 'token', events: ['message', 'session.connected'] };
    const { position } = await world.sessions.setWebhook(id, webhook, { slot: 2 });
    await world.views.waitFor(position);
    await report(['ConnectionRestored', 1]);
    const user = { id: '2000', name: 'Bob', username: '', phone: '' };
    const text = (at: number, number: number) => ({
      type: 'message' as const,
      at,
      missed: true,
      user,
      message: { id: number, chatId: '2000', created: at, fromMe: false, text: `at ${number}` },
    });
    await world.record(id, [text(missedAt, 1), text(world.clock.now(), 2)]);
    await world.settle();
    const at = (path: string) =>
      world.received
        .filter((one) => one.path.endsWith(path))
        .map(({ payload: { type, data } }) => ('text' in data ? data.text : type));
    expect(at('/hook')).toEqual(['at 1', 'at 2']);
    expect(at('/second').toSorted()).toEqual(['at 2', 'session.connected']);
  });

  it('[EV1.3] what no receiver wants is not recorded', async () => {
    await create(['message']);
    await report(['QrIssued', 1], ['LoggedIn', 1], ['ConnectionLost', 1]);
    expect(await world.store.last(`delivery-${id}`)).toBeUndefined();
  });
});

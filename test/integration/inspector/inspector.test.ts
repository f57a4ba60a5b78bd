import { readFileSync } from 'node:fs';
import { createWebSocketReceiver } from '@statelyai/inspect';
import { describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import { linkFact } from '../../support/actors/scripted-link.ts';
import type { SessionHeaders } from '../../support/gateway/http-app.ts';
import { asMessage, inShort, lookOn, type Message } from '../../support/inspector/inspector-messages.ts';
import { useListeningApp } from '../../support/inspector/listening-app.ts';

const on = useListeningApp();

async function cutAndRestore({ id }: SessionHeaders): Promise<void> {
  await on.gate.links.of(id).report(linkFact('ConnectionLost', 1));
  await on.gate.links.of(id).report(linkFact('ConnectionRestored', 1));
}

/** The messages of a session that was there as `state` before event `seq`, and of which those events were recorded. */
const told = (state: string, seq: number, ...events: [fact: string, state: string][]): string[] => [
  `actor ${state}`,
  ...events.flatMap(([fact, to], index) => [`${fact} ${seq + index}`, `→ ${to}`]),
];

describe('the inspector', () => {
  it("[IN2.1] speaks to the package's own receiver: each actor with its machine, then every event and snapshot", async () => {
    const before = await on.gate.session();
    const messages: Message[] = [];
    let check = (): void => {};
    createWebSocketReceiver({ server: on.url.replace('http', 'ws') + '/inspector' }).subscribe((event) => {
      messages.push(asMessage(event));
      check();
    });
    const until = (count: number): Promise<void> =>
      new Promise((resolve) => {
        check = () => void (messages.length >= count && resolve());
        check();
      });
    await until(1);
    await on.gate.connect(before);
    const after = await on.gate.session();
    await cutAndRestore(before);
    await on.gate.call('DELETE', '/session', { headers: before });
    await until(12);
    const of = ({ id }: SessionHeaders) => messages.filter(({ sessionId }) => sessionId === id);
    expect(of(before).map(inShort)).toEqual(
      told(
        'qrPending',
        2,
        ['LoggedIn', 'connected'],
        ['ConnectionLost', 'disconnected'],
        ['ConnectionRestored', 'connected'],
        ['SessionDeleted', 'deleted'],
      ),
    );
    expect(of(after).map(inShort)).toEqual(told('qrPending', 1, ['SessionCreated', 'qrPending']));
    const [actor, event, snapshot] = of(before);
    const { version } = JSON.parse(readFileSync('node_modules/@statelyai/inspect/package.json', 'utf8')) as {
      version: string;
    };
    const base = { sessionId: before.id, rootId: before.id, _version: version, createdAt: String(on.gate.clock.now()) };
    expect(actor).toMatchObject({ ...base, name: before.id, snapshot: { status: 'active', context: { login: 1 } } });
    const machine = createMachine(JSON.parse(actor?.definition ?? ''));
    expect(Object.keys(machine.states)).toContain(actor?.snapshot?.value);
    expect(event).toMatchObject({
      ...base,
      event: { type: 'LoggedIn', reason: 'logged-in', from: 'qrPending', login: 1 },
    });
    expect(snapshot).toMatchObject({
      ...base,
      event: event?.event,
      snapshot: { status: 'active', value: 'connected' },
    });
    expect(of(before).at(-1)?.snapshot?.status).toBe('done');
    expect(of(after)[1]?.event?.type).toBe('xstate.init');
  });

  it("[IN2.1] [IN2.2] calls what the clock does as the chart does, with the log's name beside", async () => {
    const session = await on.gate.session();
    const { messages, until } = await lookOn(`${on.url}/inspector`);
    await until(() => messages.length > 0);
    await on.gate.clock.advance(180_000);
    await until(() => messages.length > 2);
    const { event, definition } = { ...messages[0], ...messages[1] };
    expect(event).toMatchObject({ type: 'xstate.after.180000.session.qrPending', fact: 'QrTimedOut', seq: 2 });
    expect(createMachine(JSON.parse(definition ?? '')).events).toContain(event?.type);
    expect(messages.map(({ sessionId }) => sessionId)).toEqual(Array(3).fill(session.id));
  });

  it('[IN2.1] shows each event once and in order, whenever one begins to look', async () => {
    const sessions = await Promise.all(Array.from({ length: 120 }, () => on.gate.session()));
    await Promise.all(sessions.map((session) => on.gate.connect(session)));
    const happening = (async () => {
      for (let round = 0; round < 5; round++) await Promise.all(sessions.map(cutAndRestore));
    })();
    const lookings = await Promise.all(
      Array.from({ length: 5 }, async (_, turn) => {
        for (let wait = 0; wait < turn * 3; wait++) await new Promise(setImmediate);
        return lookOn(`${on.url}/inspector`);
      }),
    );
    await happening;
    await Promise.all(sessions.map((session) => on.gate.call('DELETE', '/session', { headers: session })));
    for (const { messages, until, of } of lookings) {
      await until(() => messages.filter(({ snapshot }) => snapshot?.value === 'deleted').length >= sessions.length);
      for (const { id } of sessions) {
        const [first, ...rest] = of(id);
        expect(first).toMatch(/^actor /);
        const seqs = rest.filter((short) => /\d$/.test(short)).map((short) => Number(short.split(' ')[1]));
        expect(seqs).toEqual(Array.from(seqs, (_, index) => 13 - seqs.length + 1 + index));
        expect(rest).toHaveLength(2 * seqs.length);
      }
    }
  });

  it('[IN3.1] shows one session alone, and ends with it', async () => {
    const [session, other] = [await on.gate.session(), await on.gate.session()];
    await on.gate.connect(session);
    const { messages, until, of, ended } = await lookOn(`${on.url}/inspector?session=${session.id}`);
    await until(() => messages.length > 0);
    await on.gate.connect(other);
    await cutAndRestore(session);
    await on.gate.call('DELETE', '/session', { headers: session });
    expect(await ended).toEqual({ code: 1000, reason: 'the session is deleted' });
    expect(of(session.id)).toEqual(
      told(
        'connected',
        3,
        ['ConnectionLost', 'disconnected'],
        ['ConnectionRestored', 'connected'],
        ['SessionDeleted', 'deleted'],
      ),
    );
    expect(of(other.id)).toEqual([]);
    const again = await lookOn(`${on.url}/inspector?session=${session.id}`);
    await again.ended;
    expect(again.of(session.id)).toEqual(['actor deleted']);
  });

  it('[IN3.1] replays a session from its start, and goes on with what comes', async () => {
    const session = await on.gate.session();
    const createdAt = on.gate.clock.now();
    await on.gate.clock.advance(1000);
    await on.gate.connect(session);
    const { messages, until, of, ended } = await lookOn(`${on.url}/inspector?session=${session.id}&replay=1`);
    await until(() => messages.length >= 5);
    await on.gate.call('DELETE', '/session', { headers: session });
    await ended;
    expect(of(session.id)).toEqual(
      told('qrPending', 1, ['SessionCreated', 'qrPending'], ['LoggedIn', 'connected'], ['SessionDeleted', 'deleted']),
    );
    expect(messages.map((message) => Number(message.createdAt) - createdAt)).toEqual([0, 0, 0, 1000, 1000, 1000, 1000]);
    const later = await lookOn(`${on.url}/inspector?session=${session.id}&replay=1`);
    await later.ended;
    expect(later.messages).toEqual(messages);
  });

  it('[IN5.1] has a page that needs nothing from elsewhere to be shown', async () => {
    const moved = await fetch(`${on.url}/inspector?session=a`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([302, 'inspector/?session=a']);
    const page = await fetch(`${on.url}/inspector/`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await page.text();
    const files = Array.from(text.matchAll(/(?:src|href)="([^"]+)"/g), ([, file]) => file);
    expect(files).toEqual(['inspector.css', 'inspector.js']);
    for (const file of files) expect((await fetch(`${on.url}/inspector/${file}`)).status).toBe(200);
  });
});

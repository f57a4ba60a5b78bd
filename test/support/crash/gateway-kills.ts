import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TransitionMetadata } from '../../../actors/session/events.ts';
import { type Audit, audit } from '../e2e/audit.ts';
import { httpClient } from '../gateway/gateway.ts';
import { onKurrentDbAt } from '../gateway/kurrentdb-environment.ts';
import type { KurrentDbDouble } from '../kurrentdb-double/server.ts';
import { type OwnKurrentPlace, openKurrentPlace } from '../store/kurrent-place.ts';
import { LostSessionError, live, type Person } from './client.ts';
import { check, type Ledger } from './client-knowledge.ts';
import { type Killing, killsOr, useKilling, withKillSeed } from './killing.ts';
import { castSpell, type Spell } from './spells.ts';
import { asksForPatience, createWire } from './wire.ts';

const kills = killsOr(60);
/** Of the kills: so many fall on a gateway that is still starting. */
const duringStart = 0.25;
const longestStartMs = 150;
/** How far a gateway gets at most: the requests of all clients, and a moment more. */
const mostRequests = 60;
const longestMomentMs = 15;
/** Where the store is a server, it restarts too in so many of the gateway's lives. */
const restarts = 0.3;
const longestUpMs = 400;
const longestDownMs = 150;
/** In so many of its lives the disk is full, descriptors are used up or Telegram is out of reach for a while. */
const spells = 0.3;
const clients = 5;
const pollMs = 10;
/** A machine that has much else to do takes its time: so much for each kill. */
const killTimeoutMs = 60_000;
const settleMs = 60_000;

let killing: Killing;
/** One that is the test's own has its events after a restart, too. */
let server: OwnKurrentPlace | undefined;

/** The test on one of the stores, alone in its file: it takes minutes. */
export function testKills(store: 'sqlite' | 'kurrentdb'): void {
  beforeAll(async () => {
    if (store === 'kurrentdb') server = await openKurrentPlace();
  });
  afterAll(() => server?.remove());
  killing = useKilling(() => ({ ...(server && onKurrentDbAt(server)) }), store === 'sqlite');

  it(
    `[SE7.2] loses nothing that it has acknowledged in ${kills} kills at random moments, on ${store}`,
    {
      timeout: kills * killTimeoutMs,
    },
    () =>
      withKillSeed(async (chance) => {
        const { last, ledger } = await killALot(chance);
        expect(last.faults).toEqual([]);
        expectEverythingHappened(last, ledger);
      }),
  );
}

async function killALot(chance: () => number): Promise<{ last: Audit; ledger: Ledger }> {
  const { sandbox, dataDir } = killing;
  const ledger: Ledger = { entries: [], texts: [], answered: 0, unanswered: 0, repeated: 0 };
  const people = await Promise.all(Array.from({ length: clients }, (_, index) => addPerson(index)));
  const wire = createWire();
  let isOver = false;
  const lives = people.map((person) => live({ wire, sandbox, ledger, person, chance, isOver: () => isOver }));
  // A client that finds something wrong ends the test at once.
  const failed = new Promise<never>((_, reject) => {
    for (const life of lives) life.catch(async (error: unknown) => reject(await explained(error)));
  });
  const orFail = <T>(work: Promise<T>): Promise<T> => Promise.race([work, failed]);
  let next = killing.prepare();
  for (let kill = 0; kill < kills; kill += 1) {
    const gateway = next;
    next = killing.prepare();
    const restarted = server?.double && chance() < restarts ? restart(server.double, chance) : undefined;
    let spell: Promise<void> | undefined;
    const url = gateway.run();
    if (chance() < duringStart) {
      url.catch(() => {});
      await orFail(pause(chance() * longestStartMs));
    } else {
      await checkAll(await url, ledger);
      wire.connect(await url);
      // Not before: a gateway that cannot start ends, and says why.
      if (chance() < spells) spell = castSpell(someSpell(chance), killing, gateway, chance);
      await orFail(wire.sent(1 + Math.floor(chance() * mostRequests)));
      await orFail(pause(chance() * longestMomentMs));
    }
    wire.disconnect();
    await killing.kill(gateway);
    await spell;
    await restarted;
    expect((await audit(dataDir, server)).faults).toEqual([]);
  }

  const url = await next.run();
  await checkAll(url, ledger);
  wire.connect(url);
  isOver = true;
  await orFail(Promise.all(lives));
  await settle(url, ledger, people);
  await checkAll(url, ledger);
  await checkTexts(ledger);
  next.child.kill('SIGTERM');
  expect(await next.ended).toBe(0);
  return { last: await audit(dataDir, server), ledger };
}

/** The disk can be filled where it is the test's own. */
function someSpell(chance: () => number): Spell {
  const possible: Spell[] = [
    'no descriptors',
    'no Telegram',
    ...(killing.hasSmallDisk ? (['full disk'] as const) : []),
  ];
  return possible[Math.floor(chance() * possible.length)] ?? 'no Telegram';
}

/** At a random moment, for a random time; every connection breaks. */
async function restart(double: KurrentDbDouble, chance: () => number): Promise<void> {
  await pause(chance() * longestUpMs);
  await double.stop();
  await pause(chance() * longestDownMs);
  await double.start();
}

/** An account each: every second one has a password. */
async function addPerson(index: number): Promise<Person> {
  const password = index % 2 === 0 ? '' : `secret ${index}`;
  const account = { firstName: `Client ${index}`, phone: `1666000000${index}`, dc: 1 + (index % 5), password };
  const { userId } = await killing.sandbox.call<{ userId: string }>('POST', '/accounts', account);
  return { userId, password };
}

/** Asks for every session that anybody was told of; also while the gateway is still loading. */
async function checkAll(url: string, { entries }: Ledger): Promise<void> {
  const http = httpClient(url);
  const faults = await Promise.all(
    entries.map(async (entry) => {
      let answer = await http.request('GET', '/session', { headers: entry.headers });
      while (asksForPatience(answer)) {
        await pause(pollMs);
        answer = await http.request('GET', '/session', { headers: entry.headers });
      }
      const fault = check(entry, answer);
      return fault === undefined ? [] : [`session ${entry.id} ${fault}\n${await history(entry.id)}`];
    }),
  );
  expect(faults.flat().join('\n')).toBe('');
}

async function explained(error: unknown): Promise<unknown> {
  return error instanceof LostSessionError ? new Error(`${error.message}\n${await history(error.id)}`) : error;
}

/** For whoever has to find out what went wrong. */
async function history(id: string): Promise<string> {
  const { streams } = await audit(killing.dataDir, server);
  return (streams.get(id) ?? [])
    .map(({ type, created, metadata }) => {
      const { to, reason, context } = metadata as unknown as TransitionMetadata;
      return `  ${new Date(created).toISOString()} ${type}: ${to}, ${reason}, login ${context.login}`;
    })
    .join('\n');
}

/**
 * In the end who is logged in is connected, and on their phone's list of devices. (It may list others too: a login that
 * the phone allowed in the moment of a kill.)
 */
async function settle(url: string, { entries }: Ledger, people: Person[]): Promise<void> {
  const unsettled = async (): Promise<string[]> => {
    const connected: string[] = [];
    const faults: string[] = [];
    for (const { id, login, headers, account } of entries.filter(({ deleted }) => deleted !== 'yes')) {
      const { body } = await httpClient(url).request('GET', '/session', { headers });
      if (body['isConnected'] === true) connected.push(account);
      else if (login === 'in') faults.push(`${id} does not come back`);
    }
    for (const { userId } of people) {
      const devices = await killing.sandbox.call<unknown[]>('GET', `/accounts/${userId}/devices`);
      const sessions = connected.filter((account) => account === userId).length;
      if (devices.length < sessions) faults.push(`${userId}: ${devices.length} devices, ${sessions} sessions`);
    }
    return faults;
  };
  await expect.poll(async () => (await unsettled()).join('\n'), { timeout: settleMs, interval: pollMs }).toBe('');
}

/** At the phone there is every text that was acknowledged, and no text twice. */
async function checkTexts({ texts }: Ledger): Promise<void> {
  const found = new Map<string, number>();
  for (const account of new Set(texts.map((sent) => sent.account))) {
    const path = `/accounts/1002/messages?peer=${account}&limit=1000`;
    for (const { text } of await killing.sandbox.call<{ text: string }[]>('GET', path)) {
      found.set(text, (found.get(text) ?? 0) + 1);
    }
  }
  const faults = texts.filter(({ text, acknowledged }) => {
    const times = found.get(text) ?? 0;
    return times > 1 || (acknowledged && times === 0);
  });
  expect(faults).toEqual([]);
}

/** A test of nothing would pass as well. */
function expectEverythingHappened({ streams }: Audit, { texts, answered, unanswered, repeated }: Ledger): void {
  const types = new Set([...streams.values()].flat().map(({ type }) => type));
  for (const type of [
    'SessionCreated',
    'QrIssued',
    'PasswordRequested',
    'PasswordRejected',
    'LoggedIn',
    'ConnectionRestored',
    'LoginLost',
    'GatewayRestarted',
    'WebhookSet',
    'SessionReset',
    'SessionDeleted',
  ]) {
    expect(types).toContain(type);
  }
  // On a busy machine a login takes up most of a life, so that few texts are sent in all of them.
  expect(texts.filter(({ acknowledged }) => acknowledged).length).toBeGreaterThan(0);
  expect(answered).toBeGreaterThan(100);
  expect(unanswered).toBeGreaterThan(5);
  expect(repeated).toBeGreaterThan(5);
}

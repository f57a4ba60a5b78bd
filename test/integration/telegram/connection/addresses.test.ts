import { afterEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { ConnectionGate } from '../../../../src/telegram/connection/connection-gate.ts';
import type { AddressStore } from '../../../../src/telegram/connection/dc-addresses.ts';
import { DcAddresses } from '../../../../src/telegram/connection/dc-addresses.ts';
import { Dialler } from '../../../../src/telegram/connection/dialler.ts';
import type { DcAddress } from '../../../../src/telegram/connection/network.ts';
import { createTelegram } from '../../../../src/telegram/gramjs/telegram.ts';
import { passTime } from '../../../support/kit/passing-time.ts';
import { startLocalSandbox } from '../../../support/sandbox/sandbox.ts';
import { type Observed, openScene, type Scene, until } from '../../../support/telegram/scene.ts';

let scene: Scene;
let sandbox: Sandbox;
afterEach(async () => {
  await scene.close();
  await sandbox.close();
});

async function open(): Promise<void> {
  let now = Date.now;
  sandbox = await startLocalSandbox({ clock: { now: () => now() } });
  scene = await openScene({}, sandbox);
  now = () => scene.clock.now();
}

/** The last fact about the connection. */
const lastOf = ({ facts }: Observed): string | undefined =>
  facts.findLast(({ type }) => type.startsWith('Connection'))?.type;

/** Lets time pass until all links are connected again. */
async function untilRestored(links: readonly Observed[]): Promise<void> {
  const isBack = (link: Observed): boolean => lastOf(link) === 'ConnectionRestored';
  while (!links.every(isBack)) await passTime(scene.clock, 250);
}

const dc2 = (): DcAddress => scene.options.network.dcs.find(({ id }) => id === 2) as DcAddress;
const portOf = (dc: number): number => sandbox.protocol.ports.get(dc) ?? 0;
const asked = async (): Promise<number> =>
  (await scene.control<unknown[]>('GET', '/calls?method=help.getConfig')).length;

/** Starts again, with the stored logins and what is stored of the addresses. */
async function restart(dialler: Dialler, sessions: readonly string[]): Promise<Observed[]> {
  await scene.telegram.close();
  scene.telegram = createTelegram({ ...scene.options, dialler });
  return sessions.map((id) => {
    const link = scene.link(id);
    link.connect(1);
    return link;
  });
}

describe('many sessions', () => {
  it('[SE14.1] 41 restart where 10 connections a second are accepted: all are connected', async () => {
    await open();
    const ids = Array.from({ length: 41 }, (_, index) => `s${index}`);
    await scene.loggedIn('s0', '1001');
    const login = scene.logins.get('s0') ?? '';
    for (const id of ids) scene.logins.set(id, login);
    await scene.control('PUT', '/connection-limit', { perSecond: 10 });
    const gate = new ConnectionGate(scene.clock, 150);
    const links = await restart(new Dialler(new DcAddresses(scene.clock, scene.options.network.dcs), gate), ids);
    await passTime(scene.clock, 1_000);
    expect(gate.perSecond).toBeLessThan(150);
    await untilRestored(links);
    expect(links.flatMap(({ facts }) => facts.map(({ type }) => type))).not.toContain('LoginLost');
  });
});

describe('a data centre that moves', () => {
  it('[SE14.2] an address that this machine has no route to is passed by at once, and is no refusal of Telegram', async () => {
    await open();
    await scene.loggedIn('a', '1001');
    // Linux connects to no broadcast address: ENETUNREACH.
    const nowhere = [8, 9].map((port) => ({ ...dc2(), host: '127.255.255.255', port }));
    const gate = new ConnectionGate(scene.clock, 10);
    const [link] = await restart(new Dialler(new DcAddresses(scene.clock, [...nowhere, dc2()]), gate), ['a']);
    await until(() => lastOf(link as Observed) === 'ConnectionRestored');
    expect(gate.perSecond).toBe(10);
  });

  it('[SE14.2] sessions come back at an address that Telegram told before, after a restart too', async () => {
    await open();
    let kept: readonly DcAddress[] = [];
    const store: AddressStore = {
      load: () => kept,
      save: (told) => {
        kept = told;
      },
    };
    const old = portOf(2);
    await scene.control('POST', '/dcs/2/ports');
    const { dcs } = scene.options.network;
    await scene.loggedIn('a', '1001');
    const [link] = await restart(new Dialler(new DcAddresses(scene.clock, dcs, store)), ['a']);
    await untilRestored([link as Observed]);
    await until(() => kept.some(({ port }) => port === portOf(2)));
    expect(await asked()).toBeGreaterThan(0);

    await scene.control('DELETE', `/dcs/2/ports/${old}`);
    await passTime(scene.clock, 3_000);
    expect((link as Observed).account()).toBeDefined();

    const before = await asked();
    const [again] = await restart(new Dialler(new DcAddresses(scene.clock, dcs, store)), ['a']);
    await untilRestored([again as Observed]);
    expect(await asked()).toBe(before + 1);
  });

  it('[SE14.3] sessions come back at an address that only another data centre knows', async () => {
    await open();
    await scene.loggedIn('a', '1001');
    const { dcs } = scene.options.network;
    const [link] = await restart(new Dialler(new DcAddresses(scene.clock, dcs)), ['a']);
    await untilRestored([link as Observed]);
    const old = portOf(2);
    await scene.control('POST', '/dcs/2/ports');
    await scene.control('DELETE', `/dcs/2/ports/${old}`);
    await passTime(scene.clock, 11_000);
    expect(lastOf(link as Observed)).toBe('ConnectionLost');
    await untilRestored([link as Observed]);
  });

  it('[SE14.3] so too if no data centre could be reached meanwhile', async () => {
    await open();
    await scene.loggedIn('a', '1001');
    const { dcs } = scene.options.network;
    const [link] = await restart(new Dialler(new DcAddresses(scene.clock, dcs)), ['a']);
    await untilRestored([link as Observed]);
    const old = portOf(2);
    await scene.control('POST', '/network', { action: 'refuse' });
    await scene.control('POST', '/dcs/2/ports');
    await scene.control('DELETE', `/dcs/2/ports/${old}`);
    await passTime(scene.clock, 180_000);
    await scene.control('POST', '/network', { action: 'accept' });
    await passTime(scene.clock, 60_000);
    expect(lastOf(link as Observed)).toBe('ConnectionRestored');
  });
});

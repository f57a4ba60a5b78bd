import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSeededRandomness } from '../kit/clock.ts';
import { settleNetwork } from '../kit/passing-time.ts';
import { type Delivery, readDeliveries } from './deliveries.ts';
import { type Caller, openScene, type Scene } from './scene.ts';

const sessionCount = 20;
const peers = ['bobstone', 'carol', 'davey', 'erinn', 'frank'];
const stepMs = 1_000;
/** A caller waits this long before it repeats what failed. */
const repeatMs = 5_000;
const secondMs = 1_000;
const longestOutageMs = 60_000;
const minuteMs = 60 * secondMs;

/** A text under an `Idempotency-Key`, until it is answered with 200. */
interface Sending {
  from: number;
  peer: string;
  text: string;
  /** When it is sent; never while a request of it is in flight. */
  dueAt: number;
  messageId: string | undefined;
  /** Status and error of the last request that failed. */
  lastAnswer?: string;
}

/** A text that a peer's phone wrote to an account. */
interface Written {
  to: number;
  peer: string;
  text: string;
}

/** What an hour of chaos has left behind. */
export interface ChaosReport {
  /** IDs of the sessions that are not connected a minute after the calm. */
  away: string[];
  /** Facts that mean that a login was lost. */
  lostLogins: string[];
  /** Sends that no repetition brought to 200. */
  unsent: string[];
  /** Texts that the peer has more or less than once, or under another ID than the caller was given. */
  wronglySent: string[];
  /** Texts that are recorded for the webhook more or less than once, or out of order in their chat. */
  wronglyRecorded: string[];
  /** How often each kind of chaos happened. */
  happened: Map<string, number>;
  sent: number;
  written: number;
}

/** Lives through `minutes` of sends, messages and faults of all kinds, then through a minute of calm. */
export async function chaosHour(seed: number, minutes: number): Promise<ChaosReport> {
  const scene = await openScene();
  try {
    return await new ChaosHour(scene, seed).run(minutes);
  } finally {
    await scene.close();
  }
}

class ChaosHour {
  readonly #scene: Scene;
  readonly #fraction: () => number;
  readonly #accounts: string[] = [];
  readonly #callers: Caller[] = [];
  readonly #sendings: Sending[] = [];
  readonly #written: Written[] = [];
  readonly #happened = new Map<string, number>();
  /** Accounts that have their first data centre: each moves once. */
  #unmoved: readonly string[] = [];
  /** When Telegram takes connections again, and when as many as anyone wants. */
  #refusesUntil = Infinity;
  #limitsUntil = Infinity;

  constructor(scene: Scene, seed: number) {
    this.#scene = scene;
    const random = createSeededRandomness(seed, scene.clock);
    this.#fraction = () => random.fraction();
  }

  async run(minutes: number): Promise<ChaosReport> {
    await this.#logIn();
    this.#unmoved = this.#accounts;
    for (let at = 0; at < minutes * minuteMs; at += stepMs) {
      if (this.#chance(1 / 4)) await this.#disturb();
      await this.#endOutages();
      if (this.#chance(1 / 3)) this.#newSend();
      if (this.#chance(1 / 3)) await this.#write();
      this.#repeat();
      await this.#step();
    }
    await this.#calm();
    for (let at = 0; at < minuteMs; at += stepMs) {
      this.#repeat();
      await this.#step();
    }
    return await this.#report();
  }

  #chance(share: number): boolean {
    return this.#fraction() < share;
  }

  #oneOf<T>(list: readonly T[]): T {
    return list[Math.floor(this.#fraction() * list.length)] as T;
  }

  /** Answers take a step at most, as on a slow network. */
  async #step(): Promise<void> {
    await this.#scene.clock.advance(stepMs);
    await settleNetwork();
  }

  async #logIn(): Promise<void> {
    const { sandbox } = this.#scene;
    for (const username of peers.slice(1)) {
      await sandbox.call('POST', '/accounts', { firstName: username, username });
    }
    for (let number = 0; number < sessionCount; number += 1) {
      const name = { firstName: `Account ${number}`, username: `account${number}` };
      const { userId } = await sandbox.call<{ userId: string | number }>('POST', '/accounts', name);
      this.#accounts.push(String(userId));
      const caller = await this.#scene.connected(String(userId));
      this.#callers.push(caller);
      const webhook = { url: 'http://127.0.0.1:9/hook', token: 'secret' };
      await this.#scene.request(caller, 'PUT', '/session/webhook', webhook);
    }
  }

  #newSend(): void {
    const from = Math.floor(this.#fraction() * sessionCount);
    const text = `sent ${this.#sendings.length}`;
    this.#sendings.push({ from, peer: this.#oneOf(peers), text, dueAt: 0, messageId: undefined });
  }

  /** A caller repeats what failed, with the same key. */
  #repeat(): void {
    for (const sending of this.#sendings) {
      if (sending.messageId !== undefined || sending.dueAt > this.#scene.clock.now()) continue;
      sending.dueAt = Infinity;
      const headers = { ...this.#callers[sending.from]?.headers, 'idempotency-key': sending.text };
      const body = { username: sending.peer, type: 'text', text: sending.text };
      void this.#scene.gateway.http
        .request('POST', '/message', { headers, body })
        .then(({ status, body: answer }) => {
          if (status === 200) sending.messageId = String(answer['messageId']);
          else sending.lastAnswer = `${status} ${JSON.stringify(answer)}`;
        })
        .catch((error: unknown) => {
          sending.lastAnswer = String(error);
        })
        .finally(() => {
          sending.dueAt = this.#scene.clock.now() + repeatMs;
        });
    }
  }

  async #write(): Promise<void> {
    const to = Math.floor(this.#fraction() * sessionCount);
    const peer = this.#oneOf(peers);
    const text = `written ${this.#written.length}`;
    this.#written.push({ to, peer, text });
    await this.#scene.sandbox.call('POST', `/accounts/${await this.#idOf(peer)}/messages`, {
      peer: this.#accounts[to],
      text,
    });
  }

  readonly #ids = new Map<string, string>();
  async #idOf(username: string): Promise<string> {
    if (this.#ids.size === 0) {
      const accounts = await this.#scene.sandbox.call<{ userId: string | number; username?: string | null }[]>(
        'GET',
        '/accounts',
      );
      for (const account of accounts) this.#ids.set(account.username ?? '', String(account.userId));
    }
    return this.#ids.get(username) ?? '';
  }

  /** One more thing goes wrong, for one account or for all of them. */
  async #disturb(): Promise<void> {
    const userId = this.#chance(0.8) ? this.#oneOf(this.#accounts) : undefined;
    const who = userId === undefined ? {} : { userId };
    const count = 1 + Math.floor(this.#fraction() * 3);
    const [moving, ...others] = this.#unmoved;
    const kinds: [name: string, path: string, body: object, method?: string][] = [
      ['cut', '/network', { action: 'cut', ...who }],
      ['blackhole', '/network', { action: 'blackhole', ms: Math.floor(20_000 * this.#fraction()), ...who }],
      ['slowPong', '/network', { action: 'slowPong', ms: Math.floor(8_000 * this.#fraction()), ...who }],
      ['forgetSessions', '/network', { action: 'forgetSessions', ...who }],
      ['-404', '/chaos', { transportError: -404, times: this.#chance(0.3) ? 2 : 1, ...who }],
      ['-429', '/chaos', { transportError: -429, times: count, ...who }],
      ['-444', '/chaos', { transportError: -444, times: 1, ...who }],
      ['unknownUpdate', '/chaos', { unknownUpdate: count, ...who }],
      ['stuckDifference', '/chaos', { stuckDifference: count, ...who }],
      ['announceAnswers', '/chaos', { announceAnswers: count, ...who }],
      ['loseUpdates', '/chaos', { loseUpdates: count, ...who }],
      ['duplicateUpdates', '/chaos', { duplicateUpdates: count, ...who }],
      ['reorderUpdates', '/chaos', { reorderUpdates: count, ...who }],
      ['badSalt', '/chaos', { badSalt: true, ...who }],
      ['forgetClient', '/chaos', { forgetClient: true, ...who }],
      ['differenceSlice', '/chaos', { differenceSlice: count, ...who }],
      ['dropAnswer', '/faults', { dropAnswer: true, times: count, ...who }],
      ['FLOOD_WAIT', '/faults', { error: 'FLOOD_WAIT_3', times: count, ...who }],
      ['TIMEOUT', '/faults', { error: 'TIMEOUT', code: 500, times: count, ...who }],
      ['refuse', '/network', { action: 'refuse' }],
      ['expireFileReferences', '/chaos', { expireFileReferences: true }],
      ['connectionLimit', '/connection-limit', { perSecond: 2 * count }, 'PUT'],
    ];
    if (moving !== undefined) kinds.push(['move', `/accounts/${moving}`, { dc: this.#oneOf([1, 3, 5]) }, 'PATCH']);
    kinds.push(['ports', '', {}]);
    const [name, path, body, method = 'POST'] = this.#oneOf(kinds);
    if (name === 'refuse') this.#refusesUntil = this.#within(longestOutageMs);
    if (name === 'connectionLimit') this.#limitsUntil = this.#within(longestOutageMs);
    if (name === 'move') this.#unmoved = others;
    this.#happened.set(name, (this.#happened.get(name) ?? 0) + 1);
    await (name === 'ports' ? this.#changePort() : this.#scene.sandbox.call(method, path, body));
  }

  /** A data centre is at another port from now on. One of them stays, for the others to be asked for there. */
  async #changePort(): Promise<void> {
    const { sandbox } = this.#scene;
    const dc = this.#oneOf([1, 2, 3, 5]);
    const { dcs } = await sandbox.call<{ dcs: { id: number; port: number }[] }>('GET', '/connection');
    await sandbox.call('POST', `/dcs/${dc}/ports`);
    for (const { port } of dcs.filter(({ id }) => id === dc)) await sandbox.call('DELETE', `/dcs/${dc}/ports/${port}`);
  }

  /** Some moment from now on. */
  #within(ms: number): number {
    return this.#scene.clock.now() + ms * this.#fraction();
  }

  /** Outages of everyone end by themselves: a session that is away for 30 minutes is deleted, as it has to be (SE6). */
  async #endOutages(): Promise<void> {
    const now = this.#scene.clock.now();
    if (this.#refusesUntil <= now) await this.#accept();
    if (this.#limitsUntil <= now) await this.#liftLimit();
  }

  async #accept(): Promise<void> {
    this.#refusesUntil = Infinity;
    await this.#scene.sandbox.call('POST', '/network', { action: 'accept' });
  }

  async #liftLimit(): Promise<void> {
    this.#limitsUntil = Infinity;
    await this.#scene.sandbox.call('PUT', '/connection-limit', { perSecond: 0 });
  }

  async #calm(): Promise<void> {
    const { sandbox } = this.#scene;
    await sandbox.call('DELETE', '/faults');
    await this.#accept();
    await this.#liftLimit();
    await sandbox.call('POST', '/network', { action: 'slowPong', ms: 0 });
    await sandbox.call('POST', '/chaos', {
      stuckDifference: 0,
      announceAnswers: 0,
      unknownUpdate: 0,
      loseUpdates: 0,
      differenceSlice: 0,
    });
  }

  async #report(): Promise<ChaosReport> {
    const { gateway } = this.#scene;
    const away = this.#callers
      .filter(({ id }) => gateway.views.get(id)?.state !== 'connected')
      .map(({ id }) => `${id} ${gateway.views.get(id)?.state}`);
    const unsent = this.#sendings
      .filter(({ messageId }) => messageId === undefined)
      .map(({ text, from, lastAnswer }) => `${text} of ${this.#callers[from]?.id}: ${lastAnswer ?? 'no answer'}`);
    const lostLogins = await this.#lostLogins();
    return {
      away,
      lostLogins,
      unsent,
      wronglySent: await this.#wronglySent(),
      wronglyRecorded: await this.#wronglyRecorded(),
      happened: this.#happened,
      sent: this.#sendings.length,
      written: this.#written.length,
    };
  }

  /** The facts of a type in a session's audit, which a deletion leaves readable. */
  async #factsOf(caller: Caller, type: string): Promise<string[]> {
    const path = `/sessions/${caller.id}/events?limit=1000`;
    const { body } = await this.#scene.gateway.http.request<{ docs: { type: string; reason: string }[] }>('GET', path);
    return body.docs.filter((event) => event.type === type).map(({ reason }) => `${caller.id} ${reason}`);
  }

  async #lostLogins(): Promise<string[]> {
    return (await Promise.all(this.#callers.map((caller) => this.#factsOf(caller, 'LoginLost')))).flat();
  }

  async #wronglySent(): Promise<string[]> {
    const wrong: string[] = [];
    for (const [from, account] of this.#accounts.entries()) {
      for (const peer of peers) {
        const wanted = this.#sendings.filter((sending) => sending.from === from && sending.peer === peer);
        if (wanted.length === 0) continue;
        const path = `/accounts/${account}/messages?peer=${await this.#idOf(peer)}&limit=1000`;
        const found = await this.#scene.sandbox.call<{ id: number; text: string; out: boolean }[]>('GET', path);
        for (const { text, messageId } of wanted) {
          const seen = found.filter((message) => message.out && message.text === text).map(({ id }) => String(id));
          const isRight = messageId === undefined ? seen.length <= 1 : seen.length === 1 && seen[0] === messageId;
          if (!isRight) wrong.push(`${text}: answered ${messageId}, seen ${seen.join(' ') || 'never'}`);
        }
      }
    }
    return wrong;
  }

  async #wronglyRecorded(): Promise<string[]> {
    const wrong: string[] = [];
    for (const [to, caller] of this.#callers.entries()) {
      const recorded = await this.#recorded(caller);
      // A difference that stays stuck is passed by, and the audit says so: then some may be missing, and none is doubled.
      const isLossSaid = (await this.#factsOf(caller, 'UpdatesLost')).length > 0;
      for (const peer of peers) {
        const wanted = this.#written.filter((written) => written.to === to && written.peer === peer);
        const id = await this.#idOf(peer);
        const found = recorded
          .filter(({ content }) => content.user.id === id)
          .map(({ content }) => content.message.text);
        const expected = wanted.map(({ text }) => text).filter((text) => !isLossSaid || found.includes(text));
        if (JSON.stringify(found) !== JSON.stringify(expected)) {
          wrong.push(`${caller.id} with ${peer}: ${found.join(', ')} instead of ${expected.join(', ')}`);
        }
      }
    }
    return wrong;
  }

  async #recorded(caller: Caller): Promise<Delivery[]> {
    await nextTurn();
    const { gateway, kurrent } = this.#scene;
    const all = await readDeliveries({ dataDir: gateway.dataDir, kurrent }, caller.id);
    return all.filter(({ type }) => type === 'MessageReceived');
  }
}

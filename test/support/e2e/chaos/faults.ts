import type { Scene } from '../scene.ts';
import type { Choices } from './choices.ts';

const longestOutageMs = 60_000;

/** What goes wrong between Telegram and the accounts, as a seed chooses it. */
export class ChaosFaults {
  /** How often each kind of chaos happened. */
  readonly happened = new Map<string, number>();
  readonly #scene: Scene;
  readonly #choices: Choices;
  readonly #accounts: readonly string[];
  /** Accounts that have their first data centre: each moves once. */
  #unmoved: readonly string[];
  /** When Telegram takes connections again, and when as many as anyone wants. */
  #refusesUntil = Infinity;
  #limitsUntil = Infinity;

  constructor({ scene, choices, accounts }: { scene: Scene; choices: Choices; accounts: readonly string[] }) {
    this.#scene = scene;
    this.#choices = choices;
    this.#accounts = accounts;
    this.#unmoved = accounts;
  }

  /** One more thing goes wrong, for one account or for all of them. */
  async disturb(): Promise<void> {
    const userId = this.#choices.chance(0.8) ? this.#choices.oneOf(this.#accounts) : undefined;
    const who = userId === undefined ? {} : { userId };
    const count = 1 + Math.floor(this.#choices.fraction() * 3);
    const [moving, ...others] = this.#unmoved;
    const kinds: [name: string, path: string, body: object, method?: string][] = [
      ['cut', '/network', { action: 'cut', ...who }],
      ['blackhole', '/network', { action: 'blackhole', ms: Math.floor(20_000 * this.#choices.fraction()), ...who }],
      ['slowPong', '/network', { action: 'slowPong', ms: Math.floor(8_000 * this.#choices.fraction()), ...who }],
      ['forgetSessions', '/network', { action: 'forgetSessions', ...who }],
      ['-404', '/chaos', { transportError: -404, times: this.#choices.chance(0.3) ? 2 : 1, ...who }],
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
    if (moving !== undefined)
      kinds.push(['move', `/accounts/${moving}`, { dc: this.#choices.oneOf([1, 3, 5]) }, 'PATCH']);
    kinds.push(['ports', '', {}]);
    const [name, path, body, method = 'POST'] = this.#choices.oneOf(kinds);
    if (name === 'refuse') this.#refusesUntil = this.#within(longestOutageMs);
    if (name === 'connectionLimit') this.#limitsUntil = this.#within(longestOutageMs);
    if (name === 'move') this.#unmoved = others;
    this.happened.set(name, (this.happened.get(name) ?? 0) + 1);
    await (name === 'ports' ? this.#changePort() : this.#scene.sandbox.call(method, path, body));
  }

  /** A data centre is at another port from now on. One of them stays, for the others to be asked for there. */
  async #changePort(): Promise<void> {
    const { sandbox } = this.#scene;
    const dc = this.#choices.oneOf([1, 2, 3, 5]);
    const { dcs } = await sandbox.call<{ dcs: { id: number; port: number }[] }>('GET', '/connection');
    await sandbox.call('POST', `/dcs/${dc}/ports`);
    for (const { port } of dcs.filter(({ id }) => id === dc)) await sandbox.call('DELETE', `/dcs/${dc}/ports/${port}`);
  }

  /** Some moment from now on. */
  #within(ms: number): number {
    return this.#scene.clock.now() + ms * this.#choices.fraction();
  }

  /** Outages of everyone end by themselves: a session that is away for 30 minutes is deleted, as it has to be (SE6). */
  async endOutages(): Promise<void> {
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

  /** Takes back all that lasts. */
  async calm(): Promise<void> {
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
}

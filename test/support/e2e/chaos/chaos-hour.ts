import { settleNetwork } from '../../kit/passing-time.ts';
import { type Caller, openScene, type Scene } from '../scene.ts';
import { Choices } from './choices.ts';
import { ChaosFaults } from './faults.ts';
import { ChaosFindings, type ChaosReport, type Lived, peers, type Sending, type Written } from './report.ts';

const sessionCount = 20;
const stepMs = 1_000;
/** A caller waits this long before it repeats what failed. */
const repeatMs = 5_000;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** Lives through `minutes` of sends, messages and faults of all kinds, then through a minute of calm. */
export async function chaosHour(seed: number, minutes: number): Promise<ChaosReport> {
  const scene = await openScene();
  try {
    return await new ChaosHour(scene, seed).run(minutes);
  } finally {
    await scene.close();
  }
}

class ChaosHour implements Lived {
  readonly scene: Scene;
  readonly accounts: string[] = [];
  readonly callers: Caller[] = [];
  readonly sendings: Sending[] = [];
  readonly written: Written[] = [];
  readonly #choices: Choices;
  readonly #faults: ChaosFaults;

  constructor(scene: Scene, seed: number) {
    this.scene = scene;
    this.#choices = new Choices(seed, scene.clock);
    this.#faults = new ChaosFaults({ scene, choices: this.#choices, accounts: this.accounts });
  }

  async run(minutes: number): Promise<ChaosReport> {
    await this.#logIn();
    for (let at = 0; at < minutes * minuteMs; at += stepMs) {
      if (this.#choices.chance(1 / 4)) await this.#faults.disturb();
      await this.#faults.endOutages();
      if (this.#choices.chance(1 / 3)) this.#newSend();
      if (this.#choices.chance(1 / 3)) await this.#write();
      this.#repeat();
      await this.#step();
    }
    await this.#faults.calm();
    for (let at = 0; at < minuteMs; at += stepMs) {
      this.#repeat();
      await this.#step();
    }
    return { ...(await new ChaosFindings(this).report()), happened: this.#faults.happened };
  }

  /** Answers take a step at most, as on a slow network. */
  async #step(): Promise<void> {
    await this.scene.clock.advance(stepMs);
    await settleNetwork();
  }

  async #logIn(): Promise<void> {
    const { sandbox } = this.scene;
    for (const username of peers.slice(1)) {
      await sandbox.call('POST', '/accounts', { firstName: username, username });
    }
    for (let number = 0; number < sessionCount; number += 1) {
      const name = { firstName: `Account ${number}`, username: `account${number}` };
      const { userId } = await sandbox.call<{ userId: string | number }>('POST', '/accounts', name);
      this.accounts.push(String(userId));
      const caller = await this.scene.connected(String(userId));
      this.callers.push(caller);
      const webhook = { url: 'http://127.0.0.1:9/hook', token: 'secret' };
      await this.scene.request(caller, 'PUT', '/session/webhook', webhook);
    }
  }

  #newSend(): void {
    const from = Math.floor(this.#choices.fraction() * sessionCount);
    const text = `sent ${this.sendings.length}`;
    this.sendings.push({ from, peer: this.#choices.oneOf(peers), text, dueAt: 0, messageId: undefined });
  }

  /** A caller repeats what failed, with the same key. */
  #repeat(): void {
    for (const sending of this.sendings) {
      if (sending.messageId !== undefined || sending.dueAt > this.scene.clock.now()) continue;
      sending.dueAt = Infinity;
      const headers = { ...this.callers[sending.from]?.headers, 'idempotency-key': sending.text };
      const body = { username: sending.peer, type: 'text', text: sending.text };
      void this.scene.gateway.http
        .request('POST', '/message', { headers, body })
        .then(({ status, body: answer }) => {
          if (status === 200) sending.messageId = String(answer['messageId']);
          else sending.lastAnswer = `${status} ${JSON.stringify(answer)}`;
        })
        .catch((error: unknown) => {
          sending.lastAnswer = String(error);
        })
        .finally(() => {
          sending.dueAt = this.scene.clock.now() + repeatMs;
        });
    }
  }

  async #write(): Promise<void> {
    const to = Math.floor(this.#choices.fraction() * sessionCount);
    const peer = this.#choices.oneOf(peers);
    const text = `written ${this.written.length}`;
    this.written.push({ to, peer, text });
    await this.scene.sandbox.call('POST', `/accounts/${await this.idOf(peer)}/messages`, {
      peer: this.accounts[to],
      text,
    });
  }

  readonly #ids = new Map<string, string>();

  async idOf(username: string): Promise<string> {
    if (this.#ids.size === 0) {
      const accounts = await this.scene.sandbox.call<{ userId: string | number; username?: string | null }[]>(
        'GET',
        '/accounts',
      );
      for (const account of accounts) this.#ids.set(account.username ?? '', String(account.userId));
    }
    return this.#ids.get(username) ?? '';
  }
}

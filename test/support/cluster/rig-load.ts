import { setTimeout as pause } from 'node:timers/promises';
import { silentLog } from '../../../actors/ports/log.ts';
import { systemClock, systemRandomness } from '../../../src/config/clock.ts';
import { openKurrentStore } from '../../../src/store/events/kurrent/kurrent-store.ts';
import { type Answer, httpClient } from '../gateway/gateway.ts';
import { logInAt } from '../gateway/log-in.ts';
import type { TestSandbox } from '../sandbox/sandbox.ts';
import { auditGaps, compareTexts, type Damage, forksIn, noDamage } from './damage.ts';
import type { Rig, RigNode } from './rig.ts';
import { openToldEndpoint, type ToldEndpoint } from './told-endpoint.ts';

/** Writes to all sessions. */
const ann = '1001';
/** The sandbox lists up to 1,000 messages of a chat. */
const maxListed = 1_000;
/** A caller gives a request up, and asks another node: longer than CL5.3 lets it wait. */
const giveUpMs = 10_000;
const retryMs = 100;
/** What has not come by then is lost: far longer than any takeover. */
const patienceMs = 180_000;

interface Person {
  userId: string;
  headers: { id: string; 'session-id': string };
  sent: string[];
  written: string[];
}

export interface RigLoadOptions {
  rig: Rig;
  sandbox: TestSandbox;
  /** 0 to 1. */
  fraction: () => number;
  sessions: number;
  /** Between two messages of a session, in milliseconds. */
  betweenMs: number;
}

interface Asked {
  headers: Record<string, string>;
  body?: unknown;
}

/** The callers of a rig: each session sends and is written to, is read through every node, and others come and go. */
export class RigLoad {
  readonly people: Person[] = [];
  /** How long callers waited for the answer that they took, over all their attempts, in milliseconds. */
  readonly waits: number[] = [];
  /** Answers that no caller wants: 5xx, and none at all. */
  readonly failures: string[] = [];
  readonly #options: RigLoadOptions;
  readonly #told: ToldEndpoint;
  readonly #notFound: string[] = [];
  readonly #lives: Promise<void>[] = [];
  #isOver = false;

  private constructor(options: RigLoadOptions, told: ToldEndpoint) {
    this.#options = options;
    this.#told = told;
  }

  /** Logs the sessions in, and sets their webhooks. */
  static async open(options: RigLoadOptions): Promise<RigLoad> {
    const { rig, sandbox, sessions } = options;
    const load = new RigLoad(options, await openToldEndpoint());
    for (let number = 0; number < sessions; number += 1) {
      const { userId } = await sandbox.call<{ userId: string }>('POST', '/accounts', {
        firstName: `P${number}`,
        dc: 2,
      });
      const headers = await logInAt(rig.nodes[number % rig.nodes.length]?.url ?? '', sandbox, userId);
      const body = { url: load.#told.url, token: 'secret', events: ['message'] };
      await load.#ask('PUT', '/session/webhook', { headers, body });
      load.people.push({ userId, headers, sent: [], written: [] });
    }
    load.waits.length = 0;
    return load;
  }

  begin(): void {
    for (const person of this.people)
      this.#lives.push(this.#sends(person), this.#isWrittenTo(person), this.#isRead(person));
    this.#lives.push(this.#comeAndGo());
  }

  /** Resolves when nothing is under way any more. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#lives);
  }

  /** What is wrong, once all that was written is delivered. */
  async damage(): Promise<Damage> {
    const { rig, sandbox } = this.#options;
    const damage = noDamage();
    const giveUpAt = performance.now() + patienceMs;
    for (const { userId, headers, sent, written } of this.people) {
      const isTold = (): boolean => written.every((text) => this.#told.textsOf(userId).includes(text));
      while (!isTold() && performance.now() < giveUpAt) await pause(retryMs);
      const path = `/accounts/${ann}/messages?peer=${userId}&limit=${maxListed}`;
      const listed = await sandbox.call<{ text: string }[]>('GET', path);
      const texts = listed.map(({ text }) => text).filter((text) => text.startsWith('sent'));
      compareTexts(damage, sent, texts.toReversed());
      compareTexts(damage, written, this.#told.textsOf(userId));
      damage.auditGaps.push(...this.#told.gapsOf(headers.id));
      damage.auditGaps.push(...(await auditGaps(rig.nodes, headers)));
    }
    damage.notFound.push(...this.#notFound);
    const { duplicatedLogins } = await sandbox.call<{ duplicatedLogins: number }>('GET', '/stats');
    damage.doublyUsedKeys = duplicatedLogins;
    const { storeUrl: url } = rig;
    const store = openKurrentStore({ url, clock: systemClock, randomness: systemRandomness, log: silentLog });
    damage.forks.push(...(await forksIn(store)));
    await store.close();
    return damage;
  }

  async #sends({ userId, headers, sent }: Person): Promise<void> {
    for (let number = 0; !this.#isOver; number += 1) {
      const text = `sent ${userId} ${number}`;
      const body = { user: ann, type: 'text', text };
      await this.#ask('POST', '/message', { headers: { ...headers, 'idempotency-key': text }, body });
      sent.push(text);
      await pause(this.#options.betweenMs);
    }
  }

  async #isWrittenTo({ userId, written }: Person): Promise<void> {
    for (let number = 0; !this.#isOver; number += 1) {
      const text = `written ${userId} ${number}`;
      await this.#options.sandbox.call('POST', `/accounts/${ann}/messages`, { peer: userId, text });
      written.push(text);
      await pause(this.#options.betweenMs);
    }
  }

  async #isRead({ headers }: Person): Promise<void> {
    while (!this.#isOver) {
      await this.#ask('GET', '/session', { headers });
      await this.#ask('GET', `/sessions/${headers.id}/events?limit=1`, { headers: {} });
      await pause(this.#options.betweenMs);
    }
  }

  /** Sessions that are created, read through another node at once, and deleted. */
  async #comeAndGo(): Promise<void> {
    for (let number = 0; !this.#isOver; number += 1) {
      const answer = await this.#try(this.#anyNode(), 'POST', '/session', {
        headers: {},
        body: { externalId: `${number}` },
      });
      if (answer?.status === 200) {
        const headers = { id: String(answer.body['id']), 'session-id': String(answer.body['sessionId']) };
        await this.#ask('GET', '/session', { headers });
        await this.#try(this.#anyNode(), 'DELETE', '/session', { headers });
      }
      await pause(this.#options.betweenMs);
    }
  }

  #anyNode(): RigNode {
    const { rig, fraction } = this.#options;
    const nodes = rig.nodes.filter(({ takesRequests }) => takesRequests);
    return nodes[Math.floor(fraction() * nodes.length)] ?? (rig.nodes[0] as RigNode);
  }

  /** Asks one node after the other until one says yes. What no node does in time is damage. */
  async #ask(method: string, path: string, asked: Asked): Promise<void> {
    const from = performance.now();
    for (;;) {
      const node = this.#anyNode();
      const answer = await this.#try(node, method, path, asked);
      const { status = 0, body } = answer ?? {};
      if (status >= 200 && status < 300) break;
      const what = `version ${node.version}: ${method} ${path}: ${status} ${JSON.stringify(body)}`;
      if (status === 404 || status === 400) this.#notFound.push(what);
      else this.failures.push(what);
      if (performance.now() > from + patienceMs) {
        this.#notFound.push(`at last, ${what}`);
        this.#isOver = true;
        return;
      }
      await pause(retryMs);
    }
    this.waits.push(performance.now() - from);
  }

  /** @returns undefined: it is dead, or stands still */
  async #try({ url }: RigNode, method: string, path: string, asked: Asked): Promise<Answer | undefined> {
    const signal = AbortSignal.timeout(giveUpMs);
    try {
      return await httpClient(url).request(method, path, { ...asked, signal });
    } catch {
      return undefined;
    }
  }
}

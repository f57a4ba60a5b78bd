import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Delivery, readDeliveries } from '../deliveries.ts';
import type { Caller, Scene } from '../scene.ts';

export const peers = ['bobstone', 'carol', 'davey', 'erinn', 'frank'];

/** A text under an `Idempotency-Key`, until it is answered with 200. */
export interface Sending {
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
export interface Written {
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

/** What has been lived through, by the number of the session. */
export interface Lived {
  scene: Scene;
  accounts: readonly string[];
  callers: readonly Caller[];
  sendings: readonly Sending[];
  written: readonly Written[];
  /** The user ID of a username. */
  idOf(username: string): Promise<string>;
}

/** Compares what the sandbox and the gateway have with what was sent and written. */
export class ChaosFindings {
  readonly #lived: Lived;

  constructor(lived: Lived) {
    this.#lived = lived;
  }

  async report(): Promise<Omit<ChaosReport, 'happened'>> {
    const { gateway } = this.#lived.scene;
    const away = this.#lived.callers
      .filter(({ id }) => gateway.views.get(id)?.state !== 'connected')
      .map(({ id }) => `${id} ${gateway.views.get(id)?.state}`);
    const unsent = this.#lived.sendings
      .filter(({ messageId }) => messageId === undefined)
      .map(({ text, from, lastAnswer }) => `${text} of ${this.#lived.callers[from]?.id}: ${lastAnswer ?? 'no answer'}`);
    const lostLogins = await this.#lostLogins();
    return {
      away,
      lostLogins,
      unsent,
      wronglySent: await this.#wronglySent(),
      wronglyRecorded: await this.#wronglyRecorded(),
      sent: this.#lived.sendings.length,
      written: this.#lived.written.length,
    };
  }

  /** The facts of a type in a session's audit, which a deletion leaves readable. */
  async #factsOf(caller: Caller, type: string): Promise<string[]> {
    const path = `/sessions/${caller.id}/events?limit=1000`;
    const { body } = await this.#lived.scene.gateway.http.request<{ docs: { type: string; reason: string }[] }>(
      'GET',
      path,
    );
    return body.docs.filter((event) => event.type === type).map(({ reason }) => `${caller.id} ${reason}`);
  }

  async #lostLogins(): Promise<string[]> {
    return (await Promise.all(this.#lived.callers.map((caller) => this.#factsOf(caller, 'LoginLost')))).flat();
  }

  async #wronglySent(): Promise<string[]> {
    const wrong: string[] = [];
    for (const [from, account] of this.#lived.accounts.entries()) {
      for (const peer of peers) {
        const wanted = this.#lived.sendings.filter((sending) => sending.from === from && sending.peer === peer);
        if (wanted.length === 0) continue;
        const path = `/accounts/${account}/messages?peer=${await this.#lived.idOf(peer)}&limit=1000`;
        const found = await this.#lived.scene.sandbox.call<{ id: number; text: string; out: boolean }[]>('GET', path);
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
    for (const [to, caller] of this.#lived.callers.entries()) {
      const recorded = await this.#recorded(caller);
      // A difference that stays stuck is passed by, and the audit says so: then some may be missing, and none is doubled.
      const isLossSaid = (await this.#factsOf(caller, 'UpdatesLost')).length > 0;
      for (const peer of peers) {
        const wanted = this.#lived.written.filter((written) => written.to === to && written.peer === peer);
        const id = await this.#lived.idOf(peer);
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
    const { gateway, kurrent } = this.#lived.scene;
    const all = await readDeliveries({ dataDir: gateway.dataDir, kurrent }, caller.id);
    return all.filter(({ type }) => type === 'MessageReceived');
  }
}

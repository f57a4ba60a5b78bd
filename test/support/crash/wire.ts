import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, httpClient } from '../gateway/gateway.ts';

export interface WireOptions {
  headers?: Record<string, string>;
  body?: unknown;
  /** Called each time right before it is sent: from then on it may have been carried out. */
  sending?: () => void;
}

/** What clients hold of a gateway that dies and comes back elsewhere. */
export interface Wire {
  /**
   * Waits until the gateway is there, and asks. Undefined where the gateway died over it: nobody knows what became of
   * the request. Answers that only ask for patience are asked again.
   */
  request(method: string, path: string, options?: WireOptions): Promise<Answer | undefined>;
  /** The gateway is there. */
  connect(url: string): void;
  /** From here on clients wait. */
  disconnect(): void;
  /** Resolves when so many more requests have been sent. */
  sent(count: number): Promise<void>;
}

const retryMs = 10;

export function createWire(): Wire {
  let sent = 0;
  let url: string | undefined;
  const waiting: ((url: string) => void)[] = [];
  let watched: { at: number; resolve: () => void } | undefined;

  const address = (): Promise<string> =>
    new Promise((resolve) => {
      if (url === undefined) waiting.push(resolve);
      else resolve(url);
    });
  const ask = async (
    to: string,
    method: string,
    path: string,
    options: WireOptions = {},
  ): Promise<Answer | undefined> => {
    options.sending?.();
    const asked = httpClient(to).request(method, path, options);
    sent += 1;
    if (watched !== undefined && sent >= watched.at) watched.resolve();
    try {
      const answer = await asked;
      // The store may have recorded it all the same.
      return isInDoubt(answer) ? undefined : answer;
    } catch (error) {
      // What `fetch` says of a connection that was refused or broke.
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  };

  return {
    async request(method, path, options) {
      for (;;) {
        const answer = await ask(await address(), method, path, options);
        if (answer === undefined || !asksForPatience(answer)) return answer;
        await pause(retryMs);
      }
    },
    connect(to) {
      url = to;
      for (const resolve of waiting.splice(0)) resolve(to);
    },
    disconnect() {
      url = undefined;
    },
    sent: (count) =>
      new Promise((resolve) => {
        watched = { at: sent + count, resolve };
      }),
  };
}

/** What has become of the command is as unknown as where the connection broke. */
const isInDoubt = ({ status, body }: Answer): boolean =>
  status === 503 && body['message'] === 'the event store is not available';

const turnsAway = new Set(['service overloaded', 'service is starting']);

/** Nothing has been done yet: sessions are still being loaded, or a busy machine has turned the request away. */
export function asksForPatience({ status, body }: Answer): boolean {
  const { message } = body;
  return (status === 500 && message === 'session not found') || (status === 503 && turnsAway.has(String(message)));
}

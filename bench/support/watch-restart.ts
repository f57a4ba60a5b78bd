import { setTimeout as sleep } from 'node:timers/promises';
import { get } from './get.ts';
import type { Credentials, LiveGateway } from './live-gateway.ts';

/** How long things took, in milliseconds since the moment they are counted from. */
export interface Recovery {
  /** The first answer over HTTP. */
  answeringMs: number;
  /** The first 200 of `GET /health/ready`. */
  readyMs: number;
  /** As many sessions are connected as should be. */
  allConnectedMs: number;
  /** `GET /session`, each answer since the gateway is ready. */
  reads: number[];
  /** Answers that were not 200 since then. */
  refusedReads: number;
}

const readEveryMs = 20;
const countEveryMs = 250;
const giveUpMs = 300_000;

/**
 * Watches how the gateway comes back: reads one session all the time, and the number of connected ones now and then.
 * @param sessionCount how many have to be connected; 0: it only has to be ready
 * @param since `performance.now()` of the moment that counts
 * @throws Error not all are connected within five minutes
 */
export async function watchRecovery(
  url: string,
  { watched, sessionCount, since }: { watched: Credentials; sessionCount: number; since: number },
): Promise<Recovery> {
  const now = (): number => performance.now() - since;
  const recovery: Recovery = { answeringMs: 0, readyMs: 0, allConnectedMs: 0, reads: [], refusedReads: 0 };
  const read = async (): Promise<void> => {
    for (let nextAt = 0; recovery.allConnectedMs === 0; nextAt = Math.max(nextAt + readEveryMs, now())) {
      await sleep(nextAt - now());
      const answer = await ask(`${url}/session`, watched);
      if (answer === undefined) continue;
      // While it waits for its store it answers too, that it does.
      recovery.answeringMs ||= now();
      if (recovery.readyMs === 0) {
        if ((await ask(`${url}/health/ready`))?.ok === true) recovery.readyMs = now();
      } else if (answer.ok) recovery.reads.push(answer.ms);
      else recovery.refusedReads += 1;
    }
  };
  const count = async (): Promise<void> => {
    // Before it is ready, it shows what it last knew.
    while (recovery.readyMs === 0 || (await connectedSessions(url)) < sessionCount) {
      if (now() > giveUpMs) throw new Error(`not all of ${sessionCount} sessions are connected again`);
      await sleep(countEveryMs);
    }
    recovery.allConnectedMs = now();
  };
  await Promise.all([read(), count()]);
  return recovery;
}

/** Kills the gateway and starts it again on its folder. Counts from the kill. */
export async function killAndWatch(
  live: LiveGateway,
  watched: Credentials,
  sessionCount: number,
  views: 'kept' | 'lost' = 'kept',
): Promise<Recovery> {
  const { url } = live.gateway;
  const since = performance.now();
  await live.kill({ views });
  const [recovery] = await Promise.all([watchRecovery(url, { watched, sessionCount, since }), live.start()]);
  return recovery;
}

/** How many sessions are connected; 0 if the gateway doesn't say. */
async function connectedSessions(url: string): Promise<number> {
  try {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return Number(/^gateway_sessions\{state="connected"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Undefined if the gateway does not answer. */
async function ask(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ ok: boolean; ms: number } | undefined> {
  try {
    return { ok: true, ms: (await get(url, headers)).ms };
  } catch (error) {
    return 'code' in (error as Error) ? undefined : { ok: false, ms: 0 };
  }
}

/** The value that a share of all are at or below. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

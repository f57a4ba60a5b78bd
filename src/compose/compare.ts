import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import { allDifferences, comparisonReport } from '../telegram/compare/report.ts';
import type { TelegramNetwork } from '../telegram/connection/network.ts';
import { type ComparedSide, logInToCompare } from '../telegram/gramjs/compare/log-in.ts';
import { comparedLayer, runSteps } from '../telegram/gramjs/compare/run-steps.ts';
import { device } from './accounts.ts';

export interface CompareOptions {
  /** Telegram, and how its account logs in. */
  telegram: ComparedSide;
  sandbox: {
    network: TelegramNetwork;
    /** Of its control API: one of its accounts logs in there. */
    url: string;
  };
  clock: Clock;
  random: Randomness;
  signal: AbortSignal;
  /** Told what happens, in words. */
  onProgress: (text: string) => void;
}

/** The account of the sandbox's seeded world that is compared; it has no password. */
const sandboxAccount = '1001';

/**
 * Takes the same steps at Telegram and in the sandbox, and compares the shapes of the answers. Both logins end.
 * @returns the report, and each difference in words
 */
export async function compareWithSandbox(options: CompareOptions): Promise<{ report: string; differences: string[] }> {
  const { telegram, sandbox, clock, random, signal, onProgress } = options;
  const environment = { clock, random, device, log: () => undefined };
  const take = async (side: ComparedSide) => {
    const { deps, connection } = await logInToCompare(side, environment, signal);
    return runSteps(deps, connection, signal);
  };
  const there = await take(telegram);
  onProgress('Telegram has answered; the sandbox is asked the same');
  const here = await take({
    network: sandbox.network,
    onLink: (link) => void scan(sandbox.url, link),
    askPassword: async () => '',
  });
  const madeAt = new Date(clock.now());
  const report = comparisonReport(there, here, { layer: comparedLayer, madeAt });
  return { report, differences: allDifferences(there, here) };
}

/** Another link follows if this one is not scanned. */
async function scan(url: string, link: string): Promise<void> {
  await fetch(new URL('/qr/scan', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link, userId: sandboxAccount }),
  }).catch(() => undefined);
}

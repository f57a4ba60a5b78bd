import { once } from 'node:events';
import type { Clock, Randomness } from '../../../../actors/ports/clock.ts';
import { DcAddresses } from '../../connection/dc-addresses.ts';
import { Dialler } from '../../connection/dialler.ts';
import type { TelegramNetwork } from '../../connection/network.ts';
import type { TelegramLog } from '../../telegram-log.ts';
import type { MtprotoConnection, MtprotoConnectionDeps } from '../connection/mtproto-connection.ts';
import { prepareLibrary } from '../connection/prepare-library.ts';
import type { GramSessionDeps } from '../connection/session-deps.ts';
import { submitPassword } from '../login/password-login.ts';
import { logInByQr } from '../login/qr-login.ts';
import { LoginsOfAccount } from '../sending/logins-of-account.ts';

export interface ComparedSide {
  network: TelegramNetwork;
  /** Shows the link to the person whose phone scans it, or has it scanned. */
  onLink: (link: string) => void;
  /** Asks for the two-step password. */
  askPassword: () => Promise<string>;
}

interface CompareEnvironment {
  clock: Clock;
  random: Randomness;
  device: MtprotoConnectionDeps['device'];
  log: TelegramLog;
}

/**
 * Logs an account in by QR code, for a comparison alone: the login is stored nowhere.
 * @throws {Error} the application is refused @throws the signal's reason
 */
export async function logInToCompare(
  { network, onLink, askPassword }: ComparedSide,
  { clock, random, device, log }: CompareEnvironment,
  signal: AbortSignal,
): Promise<{ deps: GramSessionDeps; connection: MtprotoConnection }> {
  prepareLibrary({ network, random });
  const dialler = new Dialler(new DcAddresses(clock, network.dcs));
  const deps: GramSessionDeps = { network, dialler, clock, random, device, log, logins: new LoginsOfAccount() };
  const refused = new AbortController();
  const either = AbortSignal.any([signal, refused.signal]);
  const { stage, connection } = await logInByQr(
    deps,
    {
      onToken: ({ link }) => onLink(link),
      onRefused: (reason) => refused.abort(new Error(`Telegram refuses the application: ${reason}`)),
      onUpdate: () => undefined,
    },
    either,
  );
  if (stage === 'complete') return { deps, connection };
  // Stryker disable next-line ArrowFunction: undefined is no login either
  const isLoggedIn = async (): Promise<boolean> => false;
  for (;;) {
    const password = await Promise.race([askPassword(), aborted(either)]);
    const answer = await submitPassword((query) => connection.invoke(query), random, password, isLoggedIn, either);
    if (answer === 'accepted') return { deps, connection };
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

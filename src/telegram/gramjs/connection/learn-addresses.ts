import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { Dialler } from '../../connection/dialler.ts';
import type { DcAddress } from '../../connection/network.ts';

const answerMs = 15_000;
interface LearnDeps {
  clock: Clock;
  dialler: Dialler;
}

/** What is needed of a connection to ask on it. */
interface Askable {
  introduce(query: Api.help.GetConfig): Promise<Api.Config>;
  invoke(query: Api.help.GetConfig): Promise<Api.Config>;
  close(): void;
}

const noAnswer = (): Error => new TimeoutError('no answer');

/** Asks for the addresses of the data centres, once an hour in a process. Errors are left to the next time. */
export function learnAddresses(deps: LearnDeps, connection: Askable): void {
  const { addresses } = deps.dialler;
  if (!addresses.takeTurnToAsk()) return;
  const ask = (): Promise<Api.Config> => connection.invoke(new Api.help.GetConfig());
  withTimeout(deps.clock, answerMs, noAnswer, ask).then(
    (config) => addresses.tell(addressesOf(config)),
    () => undefined,
  );
}

/**
 * Asks another data centre where a data centre is that is no longer at any known address.
 * @param open opens a connection to a data centre, without a login
 * @throws the signal's reason
 */
export async function findAddress(
  deps: LearnDeps,
  dc: number,
  open: (dc: number) => Promise<Askable>,
  signal: LightAbortSignal,
): Promise<void> {
  const { addresses } = deps.dialler;
  const others = addresses.dcs.filter((other) => other !== dc);
  // One that seems lost too is tried last: after an outage of all of them it may be the one that is still there.
  for (const other of others.toSorted((a, b) => Number(addresses.isLost(a)) - Number(addresses.isLost(b)))) {
    try {
      const connection = await open(other);
      const ask = (): Promise<Api.Config> => connection.introduce(new Api.help.GetConfig());
      try {
        return addresses.tell(addressesOf(await withTimeout(deps.clock, answerMs, noAnswer, ask, signal)));
      } finally {
        connection.close();
      }
    } catch {
      signal.throwIfAborted();
    }
  }
}

/** Without those for files alone, those of other transports, and those that need a proxy's secret. */
function addressesOf({ dcOptions }: Api.Config): DcAddress[] {
  return dcOptions
    .filter(({ mediaOnly, cdn, tcpoOnly, secret }) => !mediaOnly && !cdn && !tcpoOnly && !secret)
    .toSorted((a, b) => Number(a.ipv6 ?? false) - Number(b.ipv6 ?? false))
    .map(({ id, ipAddress: host, port, thisPortOnly }) => ({
      id,
      host,
      port,
      ...(thisPortOnly && { onlyThisPort: true }),
    }));
}

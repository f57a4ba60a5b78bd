import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Answer, httpClient } from '../gateway/gateway.ts';
import { type Killing, withKillSeed } from './killing.ts';
import { loggedIn, pollMs } from './writing-people.ts';

/** One operation under an `Idempotency-Key`: its request, and what is wrong with what became of it. */
export interface Operation {
  method: string;
  path: string;
  body: object;
  /** @param answer to the repeated request, of the gateway that runs now */
  faultOf: (answer: Answer, now: RunningGateway) => Promise<string | undefined>;
}

/** What a test may ask the gateway for, before it is killed and after. */
export interface RunningGateway {
  /** The address of the gateway that runs now. */
  url: string;
  headers: Record<string, string>;
}

interface KilledOperations {
  kills: number;
  /** How long after the requests the gateway is killed, at most: they take about half as long on a quiet machine. */
  longestMomentMs: number;
  /** The operations of a round, which begin together. */
  prepare: (round: number, before: RunningGateway) => Promise<Operation[]>;
}

/** The fault of something that was found. */
export const unless = (isRight: boolean, found: unknown): string | undefined =>
  isRight ? undefined : JSON.stringify(found);

/** The session is not yet back. */
const asksForPatience = ({ status, body }: Answer): boolean =>
  status === 503 || body['message'] === 'session not connected' || body['message'] === 'session not found';

/**
 * Kills the gateway at a random moment of each round's operations, and repeats them at the next gateway.
 * @returns how many operations were not answered before the kill: else none of the kills fell where it matters
 */
export function overKills(killing: Killing, { kills, longestMomentMs, prepare }: KilledOperations): Promise<number> {
  return withKillSeed(async (chance) => {
    let gateway = killing.prepare();
    let url = await gateway.run();
    let http = httpClient(url);
    const headers = await loggedIn(killing.sandbox, http);
    let unanswered = 0;
    for (let round = 0; round < kills; round++) {
      const next = killing.prepare();
      const operations = await prepare(round, { url, headers });
      const ask = ({ method, path, body }: Operation, index: number): Promise<Answer> =>
        http.request(method, path, { headers: { ...headers, 'idempotency-key': `${index} ${path} ${round}` }, body });
      const first = Promise.allSettled(operations.map(ask));
      await pause(chance() * longestMomentMs);
      await killing.kill(gateway);
      unanswered += (await first).filter(({ status }) => status === 'rejected').length;
      gateway = next;
      url = await gateway.run();
      http = httpClient(url);
      for (const [index, operation] of operations.entries()) {
        let answer = await ask(operation, index);
        while (asksForPatience(answer)) {
          await pause(pollMs);
          answer = await ask(operation, index);
        }
        const fault = await operation.faultOf(answer, { url, headers });
        expect(fault && `${operation.path} ${round}: ${fault}`).toBeUndefined();
      }
    }
    return unanswered;
  });
}

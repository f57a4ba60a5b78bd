import bigInt from 'big-integer';
import { LAYER } from 'telegram/tl/AllTLObjects.js';
import type { Api } from 'telegram/tl/index.js';
import { sleep } from '../../../../actors/kit/sleep.ts';
import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import { shapeOf } from '../../compare/answer-shape.ts';
import type { Outcome } from '../../compare/differences.ts';
import type { StepResult } from '../../compare/report.ts';
import { TelegramError } from '../../port/errors.ts';
import {
  ConnectionDownError,
  type MtprotoConnection,
  openMtprotoConnection,
} from '../connection/mtproto-connection.ts';
import type { GramSessionDeps } from '../connection/session-deps.ts';
import type { Found } from './comparison-step.ts';
import { steps } from './steps.ts';

/** The layer that both sides are asked in. */
export const comparedLayer: number = LAYER;
/** The steps of a comparison, in words. */
export const plannedSteps: readonly { name: string; call: string }[] = steps;

const answerMs = 30_000;
/** A wait that Telegram asks for and that is kept; a longer one is the step's answer. */
const longestWaitSeconds = 60;

/**
 * Takes the steps of a comparison over a connection that is logged in, which it closes. If the signal ends the
 * comparison, or the connection breaks twice, only what removes earlier steps' work is still done.
 */
export async function runSteps(
  deps: GramSessionDeps,
  connection: MtprotoConnection,
  signal: AbortSignal,
): Promise<StepResult[]> {
  const runner = new StepRunner(deps, connection);
  const randomIds = new Map<string, bigInt.BigInteger>();
  const found: Found = {
    messages: [],
    randomId: (of) => {
      const id = randomIds.get(of) ?? bigInt(deps.random.bytes(8).readBigInt64LE());
      randomIds.set(of, id);
      return id;
    },
  };
  const results: StepResult[] = [];
  try {
    for (const { name, call, request, keep, isCleanUp } of steps) {
      const isWanted = isCleanUp || (!signal.aborted && !runner.isBroken);
      const query = isWanted ? request(found) : undefined;
      const startedAt = deps.clock.elapsed();
      const outcome = query ? await runner.run(query, (answer) => keep?.(answer, found)) : { kind: 'skipped' as const };
      results.push({ name, call, outcome, ms: deps.clock.elapsed() - startedAt });
    }
  } finally {
    runner.close();
  }
  return results;
}

/** Asks one thing after the other, and repairs the connection. */
class StepRunner {
  /** The connection has ended twice, or could not be repaired. */
  isBroken = false;
  readonly #deps: GramSessionDeps;
  #connection: MtprotoConnection;
  #isRepaired = false;

  constructor(deps: GramSessionDeps, connection: MtprotoConnection) {
    this.#deps = deps;
    this.#connection = connection;
  }

  close(): void {
    this.#connection.close();
  }

  async run(query: Api.AnyRequest, keep: (answer: unknown) => void): Promise<Outcome> {
    try {
      const answer = await this.#ask(query);
      keep(answer);
      return { kind: 'answer', shape: shapeOf(answer, Math.floor(this.#deps.clock.now() / 1000)) };
    } catch (error) {
      if (error instanceof TelegramError) return { kind: 'error', name: withoutNumbers(error) };
      if (error instanceof TimeoutError) return { kind: 'error', name: 'no answer' };
      if (!(error instanceof ConnectionDownError)) throw error;
      // The clean-up needs a connection too.
      this.isBroken ||= this.#isRepaired;
      await this.#repair();
      return { kind: 'error', name: 'the connection has ended' };
    }
  }

  async #ask(query: Api.AnyRequest): Promise<unknown> {
    const { clock } = this.#deps;
    const late = (): Error => new TimeoutError('no answer');
    const ask = (): Promise<unknown> => withTimeout(clock, answerMs, late, () => this.#connection.invoke(query));
    try {
      return await ask();
    } catch (error) {
      const wait = error instanceof TelegramError ? error.waitSeconds : undefined;
      if (wait === undefined || wait > longestWaitSeconds) throw error;
      await sleep(clock, wait * 1000, new AbortController().signal);
      return ask();
    }
  }

  async #repair(): Promise<void> {
    const { dc, key } = this.#connection;
    this.#isRepaired = true;
    try {
      this.#connection = await openMtprotoConnection(this.#deps, { dc, key }, new AbortController().signal);
    } catch (error) {
      if (!(error instanceof ConnectionDownError)) throw error;
      this.isBroken = true;
    }
  }
}

/** `400 FLOOD_WAIT_X`: the number is not part of an error's name. */
const withoutNumbers = ({ code, errorName }: TelegramError): string => `${code} ${errorName.replace(/_\d+$/, '_X')}`;

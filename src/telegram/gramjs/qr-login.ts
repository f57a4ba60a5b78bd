import { Api } from 'telegram/tl/index.js';
import { retryDelayMs } from '../backoff.ts';
import { TelegramError } from '../port.ts';
import { waitAskedForMs } from '../retry-policy.ts';
import { wait, within } from '../waiting.ts';
import { flatten } from './flat-updates.ts';
import { openWire, type Wire, type WireSetting } from './wire.ts';

export interface QrToken {
  /** `tg://login?token=…` */
  link: string;
  /** Milliseconds since 1970, on the gateway's clock. */
  expires: number;
}

/** Where a scan has led to: a connection that is logged in, or only needs a password any more. */
export interface QrOutcome {
  stage: 'password' | 'complete';
  wire: Wire;
}

const answerMs = 15_000;
/** A token is asked for again at the earliest after so long, whatever it says of its expiry. */
const shortestTokenMs = 1_000;

/**
 * Logs in by QR (https://core.telegram.org/api/qr-login): shows one token after the other until one is scanned.
 * Survives broken connections and refusals, however long it takes.
 *
 * @param onUpdate told of every update from the moment of the login
 * @throws the signal's reason; nothing else, and no connection is left then
 */
export async function logInByQr(
  setting: WireSetting,
  options: { onToken: (token: QrToken) => void; onUpdate: (update: Api.TypeUpdates) => void },
  signal: AbortSignal,
): Promise<QrOutcome> {
  for (let failures = 0; ; failures++) {
    signal.throwIfAborted();
    const attempt = new QrAttempt(setting, options, signal);
    try {
      return await attempt.run(() => {
        failures = 0;
      });
    } catch (error) {
      attempt.close();
      signal.throwIfAborted();
      const delayMs = Math.max(waitAskedForMs(error), retryDelayMs(failures, setting.random.fraction()));
      await wait(setting.clock, delayMs, signal);
    }
  }
}

/** One try over one connection, or two where the account lives in another data centre. */
class QrAttempt {
  readonly #setting: WireSetting;
  readonly #options: Parameters<typeof logInByQr>[1];
  readonly #signal: AbortSignal;
  #wire: Wire | undefined;
  #scanned: () => void = () => undefined;

  constructor(setting: WireSetting, options: Parameters<typeof logInByQr>[1], signal: AbortSignal) {
    this.#setting = setting;
    this.#options = options;
    this.#signal = signal;
  }

  close(): void {
    this.#wire?.close();
  }

  async run(onProgress: () => void): Promise<QrOutcome> {
    const { clock, network } = this.#setting;
    let wire = await this.#connect(network.homeDc);
    let ask: (request: Api.AnyRequest) => Promise<unknown> = (request) => wire.introduce(request);
    for (;;) {
      // From here on, so that a scan between asking and waiting is not missed.
      const scan = new Promise<void>((resolve) => {
        this.#scanned = resolve;
      });
      let answer = await this.#answer(ask(this.#exportRequest()));
      for (let hops = 0; answer instanceof Api.auth.LoginTokenMigrateTo && hops < 3; hops++) {
        wire.close();
        wire = await this.#connect(answer.dcId);
        answer = await this.#answer(wire.introduce(new Api.auth.ImportLoginToken({ token: answer.token })));
      }
      ask = (request) => wire.invoke(request);
      if (answer === 'password') return { stage: 'password', wire };
      if (answer instanceof Api.auth.LoginTokenSuccess) return { stage: 'complete', wire };
      if (!(answer instanceof Api.auth.LoginToken)) throw new Error('telegram keeps sending the login elsewhere');

      onProgress();
      const expires = wire.toGatewayTime(answer.expires);
      this.#options.onToken({ link: `tg://login?token=${Buffer.from(answer.token).toString('base64url')}`, expires });
      await this.#scanOrExpiry(scan, Math.max(shortestTokenMs, expires - clock.now()), wire);
    }
  }

  async #connect(dc: number): Promise<Wire> {
    const onUpdate = (update: Api.TypeUpdates): void => {
      if (flatten(update).some((one) => one instanceof Api.UpdateLoginToken)) this.#scanned();
      this.#options.onUpdate(update);
    };
    this.#wire = await openWire(this.#setting, { dc, onUpdate }, this.#signal);
    return this.#wire;
  }

  /** What an export or import was answered with; that a password is needed comes as an error of either. */
  async #answer(answer: Promise<unknown>): Promise<unknown> {
    try {
      return await within(this.#setting.clock, answerMs, answer, () => new Error('no answer'), this.#signal);
    } catch (error) {
      if (error instanceof TelegramError && error.errorName === 'SESSION_PASSWORD_NEEDED') return 'password';
      throw error;
    }
  }

  async #scanOrExpiry(scan: Promise<void>, tokenMs: number, wire: Wire): Promise<void> {
    const ended = new AbortController();
    const either = AbortSignal.any([this.#signal, ended.signal]);
    try {
      await Promise.race([
        scan,
        wait(this.#setting.clock, tokenMs, either),
        wire.ended.then((error) => {
          throw error;
        }),
      ]);
    } finally {
      ended.abort();
    }
  }

  #exportRequest(): Api.auth.ExportLoginToken {
    const { apiId, apiHash } = this.#setting.network;
    return new Api.auth.ExportLoginToken({ apiId, apiHash, exceptIds: [] });
  }
}

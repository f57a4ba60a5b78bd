import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jsqr from 'jsqr';
import { pino } from 'pino';
import sharp from 'sharp';
import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import { type Gateway, startGateway } from '../../../src/compose/gateway.ts';
import { systemClock, systemRandomness } from '../../../src/config/clock.ts';
import { readConfig } from '../../../src/config/config.ts';
import { fetchSandboxNetwork } from '../../../src/telegram/connection/network.ts';

/** What a gateway is started with. */
export interface GatewayBuild {
  startGateway: typeof startGateway;
  readConfig: typeof readConfig;
}

export const thisBuild: GatewayBuild = { startGateway, readConfig };

export interface TestGatewayOptions {
  sandbox: { url: string };
  /** Default: the system's. */
  clock?: Clock;
  randomness?: Randomness;
  /** Default: a new folder, removed on `close`. Give one to start again on what an earlier gateway left. */
  dataDir?: string;
  /** More variables of the configuration. */
  environment?: Record<string, string>;
  /** Where log lines go; default nowhere. */
  logTo?: { write(line: string): void };
  /** Default: this one. */
  build?: GatewayBuild;
}

export interface TestGateway extends Gateway {
  dataDir: string;
  http: HttpClient;
}

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

export interface HttpClient {
  request<T = Record<string, unknown>>(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: unknown; signal?: AbortSignal },
  ): Promise<Answer<T>>;
}

/** Time that stands still holds up no connection. */
const unhindered = { TELEGRAM_CONNECTIONS_PER_SECOND: '1000000' };

/** The real program in this process, but for the signals: real store, real client library, real HTTP. */
export async function startTestGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const { sandbox, clock = systemClock, randomness = systemRandomness, environment = {}, logTo } = options;
  const { build = thisBuild } = options;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'gateway-'));
  const remove = (): void => {
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  const gateway = await build.startGateway({
    config: build.readConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      TELEGRAM_SANDBOX_URL: sandbox.url,
      ...unhindered,
      ...environment,
    }),
    clock,
    randomness,
    log: pino({ level: logTo === undefined ? 'silent' : 'trace' }, logTo),
    telegram: async () => ({
      network: await fetchSandboxNetwork(sandbox.url, systemClock, AbortSignal.timeout(10_000)),
      sandboxUrl: sandbox.url,
    }),
    // A busy machine must not turn tests away.
    maxLagMs: 0,
  });
  return {
    ...gateway,
    dataDir,
    http: httpClient(gateway.url),
    close: async (draining) => {
      await gateway.close(draining);
      remove();
    },
  };
}

/** JSON over a real connection; nothing is thrown for an error's status. */
export function httpClient(url: string): HttpClient {
  return {
    async request(method, path, { headers = {}, body, signal = null } = {}) {
      const response = await fetch(url + path, {
        method,
        signal,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
  };
}

/** What a camera reads off a `qrcode` field: at half its size, which takes a quarter of the time. @throws where it is no QR code */
export async function readQr(qrcode: string): Promise<string> {
  const png = sharp(Buffer.from(qrcode, 'base64'));
  const { width } = await png.metadata();
  const pixels = png
    .resize(Math.round(width / 2), null, { kernel: 'nearest' })
    .ensureAlpha()
    .raw();
  const { data, info } = await pixels.toBuffer({ resolveWithObject: true });
  const code = jsqr.default(new Uint8ClampedArray(data), info.width, info.height);
  if (code === null) throw new Error('no QR code in the picture');
  return code.data;
}

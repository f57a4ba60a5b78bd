import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { isLoopback, privateHosts, trustedProxies } from './addresses.ts';
import { checkUrl } from './check-url.ts';
import { type ClusterSettings, clusterSettings, localAddress } from './cluster-settings.ts';
import { faultsOfOpenHost } from './open-host.ts';
import { corsOrigins } from './origins.ts';
import { takeSecrets, withSecretFiles } from './secrets.ts';
import { parseStoreUrl, StoreUrlError, storeUrlForms, streamPrefixFault } from './store-url.ts';

const megabyte = 1024 * 1024;
const unset = Type.Optional(Type.String());
const size = (fallback: number) => Type.Integer({ minimum: megabyte, default: fallback });
const port = (fallback: number) => Type.Integer({ minimum: 0, maximum: 65_535, default: fallback });
const flag = Type.Boolean({ default: false });

/** Every variable, as OP1 names them, with its default. `.env.example` and `docs/configuration.md` say what each is for. */
const Environment = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: port(3000),
  PUBLIC_URL: unset,
  DATA_DIR: Type.String({ default: './data' }),
  EVENT_STORE_URL: unset,
  STREAM_PREFIX: Type.String({ default: '' }),
  NODE_URL: unset,
  CLUSTER_KEY: unset,
  LEASE_SECONDS: Type.Number({ minimum: 1, maximum: 300, default: 15 }),
  API_KEY: unset,
  METRICS_TOKEN: unset,
  ALLOW_OPEN: flag,
  TRUST_PROXY: Type.String({ default: '' }),
  CORS_ORIGINS: Type.String({ default: '' }),
  MASTER_KEY: unset,
  MEDIA_LINK_KEYS: unset,
  TELEGRAM_API_ID: Type.Optional(Type.Integer({ minimum: 1 })),
  TELEGRAM_API_HASH: unset,
  TELEGRAM_TEST_DCS: flag,
  TELEGRAM_CONNECTIONS_PER_SECOND: Type.Integer({ minimum: 1, default: 150 }),
  LOCAL_ADDRESS: unset,
  TELEGRAM_SANDBOX_URL: unset,
  SANDBOX_PORT: port(4400),
  SANDBOX_DC_PORT: port(4430),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { default: 'info' }),
  ALLOW_PRIVATE_URLS: flag,
  ALLOWED_PRIVATE_HOSTS: Type.String({ default: '' }),
  ACCEPT_OLDER_STORE: flag,
  /** What an account without premium may upload. */
  MEDIA_MAX_BYTES: size(4_000 * 512 * 1024),
  MEDIA_CACHE_BYTES: size(1024 * megabyte),
  MEDIA_TEMP_BYTES: Type.Optional(Type.Integer({ minimum: megabyte })),
  EARLY_FREEING: Type.Boolean({ default: true }),
  SESSION_RETENTION_DAYS: Type.Number({ minimum: 0, default: 90 }),
  FFMPEG_PATH: unset,
  FFPROBE_PATH: unset,
  OTEL_EXPORTER_OTLP_ENDPOINT: unset,
  OTEL_TRACES_SAMPLER_ARG: Type.Number({ minimum: 0, maximum: 1, default: 1 }),
});
type Environment = Static<typeof Environment>;

/** The Telegram network that the gateway uses. */
type TelegramSource =
  | { kind: 'telegram'; apiId: number; apiHash: string; usesTestDcs: boolean }
  | { kind: 'sandbox'; url: string }
  /** Neither is configured: the gateway starts a sandbox of its own. */
  | { kind: 'own-sandbox'; port: number; dcPort: number };

export interface Config {
  host: string;
  port: number;
  /** Without a trailing slash; undefined means the address listened on. */
  publicUrl: string | undefined;
  /** Absolute. */
  dataDir: string;
  /** See `store-url.ts`. The file of an embedded store is absolute. The URL may hold a password. */
  eventStoreUrl: string;
  /** What the name of every stream in the store begins with. */
  streamPrefix: string;
  /** This gateway is one of several on its store (CL1); undefined: it is alone. */
  cluster: ClusterSettings | undefined;
  apiKey: string | undefined;
  /** Reads `/metrics` and nothing else (KY4). */
  metricsToken: string | undefined;
  /** Other machines and pages of other sites may use a gateway without an API key. */
  allowOpen: boolean;
  /** Addresses and ranges of the proxies whose `X-Forwarded-For` is believed (AU3). */
  trustedProxies: readonly string[];
  /** Pages of these origins may read responses (CR1). */
  corsOrigins: readonly string[] | '*';
  /** The first one wraps, all unwrap; undefined: stored in the data directory. */
  masterKeys: readonly Buffer[] | undefined;
  /** The first one signs, all verify; undefined: stored in the data directory. */
  mediaLinkKeys: readonly Buffer[] | undefined;
  telegram: TelegramSource;
  /** New connections to Telegram, of all sessions together. */
  telegramConnectionsPerSecond: number;
  /** Address of this machine that connections to Telegram begin at; undefined: the system chooses. */
  localAddress: string | undefined;
  logLevel: Environment['LOG_LEVEL'];
  allowPrivateUrls: boolean;
  /** Names, addresses and ranges that are allowed although they are private (SR1). */
  allowedPrivateHosts: readonly string[];
  /** Go on with an event store that is older than what `dataDir` remembers, or another (FA4). */
  acceptOlderStore: boolean;
  mediaMaxBytes: number;
  mediaCacheBytes: number;
  /** Files of all sends together; undefined: by the room on the disk. */
  mediaTempBytes: number | undefined;
  /** Free buffers before V8 would collect them (ADR 14). */
  earlyFreeing: boolean;
  sessionRetentionDays: number;
  ffmpegPath: string | undefined;
  ffprobePath: string | undefined;
  /** Where traces are sent; undefined: nowhere. The share applies to traces that no caller began. */
  traces: { endpoint: string; sampledShare: number } | undefined;
}

/** All invalid settings, by variable. A value may be a secret and is never repeated. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the configuration is wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

let taken: NodeJS.ProcessEnv | undefined;

/**
 * The process's environment, and the variables that an `.env` file in the working directory adds; the real environment
 * wins. It is read once: the secrets are taken out of `process.env`.
 */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (taken !== undefined) return taken;
  if (existsSync('.env')) process.loadEnvFile('.env');
  taken = takeSecrets(process.env);
  return taken;
}

/** Where the system looks for programs; nothing else of the environment is passed on to those that are started. */
export const searchPath = (): string => process.env['PATH'] ?? '';

/** @throws {ConfigError} with all invalid settings, not just the first */
export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const faults: string[] = [];
  const given = withSecretFiles(variables, faults);
  const hasSecrets = faults.length === 0;
  const environment = parse(given, faults);
  // What depends on a secret that is missing would only be noise.
  if (!hasSecrets) throw new ConfigError(faults);
  const config: Config = {
    host: environment.HOST,
    port: environment.PORT,
    publicUrl: checkUrl('PUBLIC_URL', environment.PUBLIC_URL, faults)?.replace(/\/+$/, ''),
    dataDir: resolve(environment.DATA_DIR),
    eventStoreUrl: eventStoreUrl(environment, faults),
    streamPrefix: streamPrefix(environment, faults),
    cluster: clusterSettings(environment, faults),
    apiKey: environment.API_KEY,
    metricsToken: environment.METRICS_TOKEN,
    allowOpen: environment.ALLOW_OPEN,
    trustedProxies: trustedProxies(environment.TRUST_PROXY, faults),
    corsOrigins: corsOrigins(environment, faults),
    masterKeys: keys('MASTER_KEY', environment.MASTER_KEY, faults),
    mediaLinkKeys: keys('MEDIA_LINK_KEYS', environment.MEDIA_LINK_KEYS, faults),
    telegram: telegramSource(environment, faults),
    telegramConnectionsPerSecond: environment.TELEGRAM_CONNECTIONS_PER_SECOND,
    localAddress: localAddress(environment.LOCAL_ADDRESS, faults),
    logLevel: environment.LOG_LEVEL,
    allowPrivateUrls: environment.ALLOW_PRIVATE_URLS,
    allowedPrivateHosts: privateHosts(environment.ALLOWED_PRIVATE_HOSTS, faults),
    acceptOlderStore: environment.ACCEPT_OLDER_STORE,
    mediaMaxBytes: environment.MEDIA_MAX_BYTES,
    mediaCacheBytes: environment.MEDIA_CACHE_BYTES,
    mediaTempBytes: environment.MEDIA_TEMP_BYTES,
    earlyFreeing: environment.EARLY_FREEING,
    sessionRetentionDays: environment.SESSION_RETENTION_DAYS,
    ffmpegPath: environment.FFMPEG_PATH,
    ffprobePath: environment.FFPROBE_PATH,
    traces: traces(environment, faults),
  };
  if (!isLoopback(environment.HOST)) faults.push(...faultsOfOpenHost(environment));
  // With KurrentDB the data directory may be new at each start and does not belong to the store. An embedded store is
  // in it.
  if (!config.eventStoreUrl.startsWith('sqlite:')) {
    for (const name of ['MASTER_KEY', 'MEDIA_LINK_KEYS'] as const) {
      if (environment[name] !== undefined) continue;
      faults.push(`${name} must be set where EVENT_STORE_URL is not an embedded store`);
    }
  }
  if (faults.length > 0) throw new ConfigError([...new Set(faults)]);
  return config;
}

type StoreEnvironment = Pick<Environment, 'EVENT_STORE_URL' | 'DATA_DIR'>;

/** The event store alone, for commands that need nothing else. @throws {ConfigError} */
export function readStoreUrl(variables: NodeJS.ProcessEnv): string {
  const faults: string[] = [];
  const given = withSecretFiles(variables, faults, ['EVENT_STORE_URL']);
  if (faults.length > 0) throw new ConfigError(faults);
  return readOne(given, eventStoreUrl);
}

/** The prefix of its streams alone. @throws {ConfigError} */
export function readStreamPrefix(variables: NodeJS.ProcessEnv): string {
  return readOne(variables, streamPrefix);
}

/** What `read` makes of the variables. @throws {ConfigError} */
export function readOne<T>(variables: NodeJS.ProcessEnv, read: (environment: Environment, faults: string[]) => T): T {
  const faults: string[] = [];
  const value = read(parse(variables, []), faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return value;
}

/**
 * The variables as numbers, flags and texts. An invalid one is replaced by its default, so that the rest is checked
 * too.
 */
function parse(variables: NodeJS.ProcessEnv, faults: string[]): Environment {
  const given = Object.fromEntries(
    Object.keys(Environment.properties)
      .map((name) => [name, variables[name]?.trim()])
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  const converted = Object(Value.Convert(Environment, given)) as Record<string, unknown>;
  for (const error of Value.Errors(Environment, Value.Default(Environment, { ...converted }))) {
    const name = error.instancePath.slice(1);
    const isChoice = error.keyword === 'enum';
    faults.push(`${name} ${isChoice ? `must be one of ${error.params.allowedValues.join(', ')}` : error.message}`);
    delete converted[name];
  }
  return Value.Default(Environment, converted) as Environment;
}

/** The port alone, for the health check. */
export function readPort(variables: NodeJS.ProcessEnv): number {
  return parse(variables, []).PORT;
}

function eventStoreUrl(environment: StoreEnvironment, faults: string[]): string {
  const { EVENT_STORE_URL: url, DATA_DIR } = environment;
  if (url === undefined) return `sqlite:${resolve(DATA_DIR, 'events.db')}`;
  try {
    const place = parseStoreUrl(url);
    return place.kind === 'sqlite' ? `sqlite:${place.file}` : url;
  } catch (error) {
    if (!(error instanceof StoreUrlError)) throw error;
    faults.push(`EVENT_STORE_URL must be of the form ${storeUrlForms}`);
    return url;
  }
}

function streamPrefix({ STREAM_PREFIX: prefix }: Pick<Environment, 'STREAM_PREFIX'>, faults: string[]): string {
  const fault = streamPrefixFault(prefix);
  if (fault !== undefined) faults.push(`STREAM_PREFIX ${fault}`);
  return prefix;
}

/**
 * Keys of 32 bytes, as 64 hex digits or base64, separated by commas. The newest is first, so that keys can be rotated.
 */
function keys(name: string, text: string | undefined, faults: string[]): Buffer[] | undefined {
  const found = text?.split(',').map((part) => {
    const written = part.trim();
    return Buffer.from(written, /^[\da-f]{64}$/i.test(written) ? 'hex' : 'base64');
  });
  if (found?.some(({ length }) => length !== 32)) faults.push(`${name} must be 32 bytes, in hex or base64`);
  return found;
}

function telegramSource(environment: Environment, faults: string[]): TelegramSource {
  const { TELEGRAM_API_ID: apiId, TELEGRAM_API_HASH: apiHash, TELEGRAM_SANDBOX_URL: url } = environment;
  if ((apiId === undefined) !== (apiHash === undefined)) {
    faults.push('TELEGRAM_API_ID and TELEGRAM_API_HASH must be both set, or both unset');
  }
  if (url !== undefined) {
    if (apiId !== undefined) faults.push('TELEGRAM_SANDBOX_URL must not be set together with TELEGRAM_API_ID');
    checkUrl('TELEGRAM_SANDBOX_URL', url, faults);
    return { kind: 'sandbox', url };
  }
  const usesTestDcs = environment.TELEGRAM_TEST_DCS;
  if (apiId !== undefined) return { kind: 'telegram', apiId, apiHash: apiHash ?? '', usesTestDcs };
  return { kind: 'own-sandbox', port: environment.SANDBOX_PORT, dcPort: environment.SANDBOX_DC_PORT };
}

function traces(environment: Environment, faults: string[]): Config['traces'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: sampledShare } = environment;
  const endpoint = checkUrl('OTEL_EXPORTER_OTLP_ENDPOINT', url, faults);
  return endpoint === undefined ? undefined : { endpoint, sampledShare };
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ConfigError, readConfig, readStoreUrl, readStreamPrefix } from '../../../src/config/config.ts';
import { takeSecrets } from '../../../src/config/secrets.ts';

function faultsOf(variables: Record<string, string>): readonly string[] {
  try {
    readConfig(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

const key = Buffer.alloc(32, 7);

describe('secrets from files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-test-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('[OP1.4] every secret may come from a file', () => {
    expect(
      readConfig({
        HOST: '0.0.0.0',
        API_KEY_FILE: file('api', 'a secret of many characters\n'),
        MASTER_KEY_FILE: ` ${file('master', ` ${key.toString('hex')}\n`)} `,
        MEDIA_LINK_KEYS_FILE: file('links', `${key.toString('base64')},\n${key.toString('hex')}\n`),
        TELEGRAM_API_ID: '12345',
        TELEGRAM_API_HASH_FILE: file('hash', 'abcdef'),
        EVENT_STORE_URL_FILE: file('store', 'kurrentdb://admin:secret@db:2113?tls=true\n'),
        API_KEY: '',
      }),
    ).toMatchObject({
      apiKey: 'a secret of many characters',
      masterKeys: [key],
      mediaLinkKeys: [key, key],
      telegram: { kind: 'telegram', apiId: 12345, apiHash: 'abcdef' },
      eventStoreUrl: 'kurrentdb://admin:secret@db:2113?tls=true',
    });
    expect(readStoreUrl({ EVENT_STORE_URL_FILE: file('store', 'sqlite:/a/b.db'), API_KEY_FILE: folder })).toBe(
      'sqlite:/a/b.db',
    );
  });

  it.each(['EVENT_STORE_URL', 'API_KEY', 'METRICS_TOKEN', 'MASTER_KEY', 'MEDIA_LINK_KEYS', 'TELEGRAM_API_HASH'])(
    '[OP1.4] what is wrong with the file of %s is one sentence without its path',
    (name) => {
      const wrong = (value: string, others: Record<string, string> = {}): readonly string[] =>
        faultsOf({ HOST: '0.0.0.0', [`${name}_FILE`]: value, ...others });
      expect(wrong(join(folder, 'none'))).toEqual([`${name}_FILE must name a file that can be read`]);
      expect(wrong(folder)).toEqual([`${name}_FILE must name a file that can be read`]);
      expect(wrong(file('empty', ' \n'))).toEqual([`${name}_FILE must name a file that is not empty`]);
      expect(wrong(file('full', 'x'), { [name]: 'y' })).toEqual([`${name} and ${name}_FILE must not both be set`]);
      expect(wrong(folder, { PORT: 'x' })).toHaveLength(2);
    },
  );

  it('[OP1.4] a store that is named by a file that cannot be read is no other store', () => {
    expect(() => readStoreUrl({ EVENT_STORE_URL_FILE: join(folder, 'none') })).toThrow(ConfigError);
  });

  it('[OP1.4] the environment has no secrets once it is read', () => {
    vi.stubEnv('MASTER_KEY', 'a-master-key');
    vi.stubEnv('EVENT_STORE_URL', 'kurrentdb://admin:secret@db');
    vi.stubEnv('LOG_LEVEL', 'warn');
    const taken = takeSecrets(process.env);
    expect(taken).toMatchObject({ MASTER_KEY: 'a-master-key', EVENT_STORE_URL: 'kurrentdb://admin:secret@db' });
    expect(Object.keys(process.env)).not.toContain('MASTER_KEY');
    expect(JSON.stringify(process.env)).not.toContain('secret@db');
    expect(process.env['LOG_LEVEL']).toBe('warn');
    vi.unstubAllEnvs();
  });
});

describe('configuration', () => {
  it('[OP1.1] stands without any variable, with the documented defaults', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: undefined,
      dataDir: resolve('data'),
      eventStoreUrl: `sqlite:${resolve('data/events.db')}`,
      apiKey: undefined,
      allowOpen: false,
      trustedProxies: [],
      masterKeys: undefined,
      mediaLinkKeys: undefined,
      telegram: { kind: 'own-sandbox', port: 4400, dcPort: 4430 },
      logLevel: 'info',
      allowPrivateUrls: false,
      mediaMaxBytes: 2_097_152_000,
      mediaCacheBytes: 2 ** 30,
      sessionRetentionDays: 90,
      earlyFreeing: true,
    });
  });

  it('[OP1.1] reads every variable', () => {
    expect(
      readConfig({
        HOST: '0.0.0.0',
        PORT: '8080',
        PUBLIC_URL: 'https://gate.example/',
        DATA_DIR: '/var/lib/gate',
        EVENT_STORE_URL: 'sqlite:/var/lib/log.db',
        API_KEY: 'a secret of many characters',
        MASTER_KEY: key.toString('hex'),
        MEDIA_LINK_KEYS: `${key.toString('base64')}, ${key.toString('hex')}`,
        TELEGRAM_API_ID: '12345',
        TELEGRAM_API_HASH: 'abcdef',
        TELEGRAM_TEST_DCS: 'true',
        TELEGRAM_CONNECTIONS_PER_SECOND: '20',
        LOG_LEVEL: 'warn',
        ALLOW_PRIVATE_URLS: 'true',
        MEDIA_MAX_BYTES: '5000000',
        SESSION_RETENTION_DAYS: '0.5',
        EARLY_FREEING: 'false',
        FFMPEG_PATH: '/usr/bin/ffmpeg',
      }),
    ).toMatchObject({
      host: '0.0.0.0',
      port: 8080,
      publicUrl: 'https://gate.example',
      dataDir: '/var/lib/gate',
      eventStoreUrl: 'sqlite:/var/lib/log.db',
      apiKey: 'a secret of many characters',
      masterKeys: [key],
      mediaLinkKeys: [key, key],
      telegram: { kind: 'telegram', apiId: 12345, apiHash: 'abcdef', usesTestDcs: true },
      telegramConnectionsPerSecond: 20,
      logLevel: 'warn',
      allowPrivateUrls: true,
      mediaMaxBytes: 5_000_000,
      sessionRetentionDays: 0.5,
      earlyFreeing: false,
      ffmpegPath: '/usr/bin/ffmpeg',
    });
  });

  it('[OP1.1] takes an empty variable for one that is not set', () => {
    expect(readConfig({ PORT: '', API_KEY: ' ', TELEGRAM_API_ID: '', TELEGRAM_API_HASH: '' })).toMatchObject({
      port: 3000,
      apiKey: undefined,
      telegram: { kind: 'own-sandbox' },
    });
  });

  it('[OP1.1] says which log levels there are', () => {
    expect(faultsOf({ LOG_LEVEL: 'loud' })).toEqual([
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    ]);
  });

  it('[OP1.1] reports every fault together, by name, and repeats no value', () => {
    const marker = 'm4rker';
    const faults = faultsOf({
      HOST: '0.0.0.0',
      PORT: marker,
      PUBLIC_URL: `ftp://${marker}`,
      EVENT_STORE_URL: `postgres://${marker}`,
      ALLOW_OPEN: marker,
      MASTER_KEY: marker,
      MEDIA_LINK_KEYS: `${key.toString('hex')},${marker}`,
      TELEGRAM_API_ID: '1',
      LOG_LEVEL: marker,
      MEDIA_MAX_BYTES: '1',
    });
    const names = faults.map((fault) => fault.replace(/ .*/, ''));
    expect(names.toSorted()).toEqual([
      'ALLOW_OPEN',
      'EVENT_STORE_URL',
      'HOST',
      'LOG_LEVEL',
      'MASTER_KEY',
      'MEDIA_LINK_KEYS',
      'MEDIA_MAX_BYTES',
      'PORT',
      'PUBLIC_URL',
      'TELEGRAM_API_ID',
    ]);
    expect(new ConfigError(faults).message).not.toContain(marker);
  });

  it('[OP1.1] reads Telegram or a sandbox, not both', () => {
    expect(readConfig({ TELEGRAM_SANDBOX_URL: 'http://127.0.0.1:4400' }).telegram).toEqual({
      kind: 'sandbox',
      url: 'http://127.0.0.1:4400',
    });
    expect(
      faultsOf({ TELEGRAM_SANDBOX_URL: 'http://127.0.0.1:1', TELEGRAM_API_ID: '1', TELEGRAM_API_HASH: 'x' }),
    ).toEqual(['TELEGRAM_SANDBOX_URL must not be set together with TELEGRAM_API_ID']);
  });

  const onKurrentDb = {
    EVENT_STORE_URL: 'kurrentdb://db:2113',
    MASTER_KEY: key.toString('hex'),
    MEDIA_LINK_KEYS: key.toString('hex'),
  };
  const clusterKey = 'a secret that all nodes share with each other';

  it('[CL1.6] is a node with an address, a shared secret and a KurrentDB', () => {
    const node = { ...onKurrentDb, NODE_URL: 'http://10.0.0.7:3000/', CLUSTER_KEY: clusterKey };
    expect(readConfig(node).cluster).toEqual({ url: 'http://10.0.0.7:3000', key: clusterKey, leaseMs: 15_000 });
    expect(readConfig({ ...node, NODE_URL: 'https://[FE80::7]:443' }).cluster?.url).toBe('https://[fe80::7]');
    expect(readConfig({ ...node, LEASE_SECONDS: '3' }).cluster?.leaseMs).toBe(3_000);
    expect(readConfig(onKurrentDb).cluster).toBeUndefined();
  });

  it.each([
    [{ NODE_URL: 'http://a:3000' }, 'NODE_URL and CLUSTER_KEY must be both set, or both unset'],
    [{ CLUSTER_KEY: clusterKey }, 'NODE_URL and CLUSTER_KEY must be both set, or both unset'],
    ...['a:3000', 'http://a:3000/gateway', 'http://a:3000/?', 'https://a#b', 'http://ann:secret@a:3000'].map(
      (url): [Record<string, string>, string] => [
        { NODE_URL: url, CLUSTER_KEY: clusterKey },
        'NODE_URL must be the origin of an http or https url, as in http://10.0.0.11:3000',
      ],
    ),
    [{ NODE_URL: 'http://a:3000', CLUSTER_KEY: 'short' }, 'CLUSTER_KEY must have 32 characters or more'],
    [{ LOCAL_ADDRESS: 'eth0' }, 'LOCAL_ADDRESS must be an IP address of this machine'],
  ])('[CL1.6] with %o says: %s', (variables, fault) => {
    expect(faultsOf({ ...onKurrentDb, ...variables })).toEqual([fault]);
  });

  it('[CL1.6] is no node on an embedded store', () => {
    expect(faultsOf({ NODE_URL: 'http://a:3000', CLUSTER_KEY: clusterKey })).toEqual([
      'NODE_URL needs EVENT_STORE_URL to name a KurrentDB server: an embedded store has one gateway',
    ]);
  });

  it('[OP1.2] wants keys that are kept apart from a KurrentDB, and not on the one machine', () => {
    const url = 'kurrentdb://admin:m4rker@db:2113?tls=false';
    expect(faultsOf({ EVENT_STORE_URL: url })).toEqual([
      'MASTER_KEY must be set where EVENT_STORE_URL is not an embedded store',
      'MEDIA_LINK_KEYS must be set where EVENT_STORE_URL is not an embedded store',
    ]);
    const keys = { MASTER_KEY: key.toString('base64'), MEDIA_LINK_KEYS: key.toString('hex') };
    expect(readConfig({ EVENT_STORE_URL: url, ...keys }).eventStoreUrl).toBe(url);
  });

  it('[OP1.1] finds the event store by itself for commands that need no more', () => {
    expect(readStoreUrl({ DATA_DIR: '/var/lib/gate', HOST: '0.0.0.0' })).toBe('sqlite:/var/lib/gate/events.db');
    expect(readStoreUrl({ EVENT_STORE_URL: 'kurrentdb://db:2113' })).toBe('kurrentdb://db:2113');
    expect(() => readStoreUrl({ EVENT_STORE_URL: 'postgres://m4rker' })).toThrow(
      /^the configuration is wrong:\n  EVENT_STORE_URL must be of the form .*host:2113$/,
    );
  });

  it.each(['', 'a-', 'desk_', 'Gate.1.', `${'x'.repeat(40)}-`])(
    '[OP1.3] takes %j before the names of streams',
    (prefix) => {
      expect(readConfig({ STREAM_PREFIX: prefix }).streamPrefix).toBe(prefix);
      expect(readStreamPrefix({ STREAM_PREFIX: prefix })).toBe(prefix);
    },
  );

  it.each(['desk', '-', '$a-', '$$', 'a b-', 'ä-', 'a/', `${'x'.repeat(41)}-`])(
    '[OP1.3] refuses %j before the names of streams',
    (prefix) => {
      expect(faultsOf({ STREAM_PREFIX: prefix })).toEqual([expect.stringMatching(/^STREAM_PREFIX must be letters/)]);
      expect(() => readStreamPrefix({ STREAM_PREFIX: prefix })).toThrow('STREAM_PREFIX must be letters');
    },
  );

  it('[OP1.3] refuses a prefix whose streams a gateway without one would take for its own', () => {
    expect(faultsOf({ STREAM_PREFIX: 'session-' })).toEqual(['STREAM_PREFIX must not begin with session-']);
    expect(faultsOf({ STREAM_PREFIX: 'vault-x-' })).toEqual(['STREAM_PREFIX must not begin with vault-']);
    expect(faultsOf({ STREAM_PREFIX: 'sessions-' })).toEqual([]);
  });

  it.each(['0.0.0.0', '192.168.1.5', '::', 'gate.example', '128.0.0.1'])('[AU4.2] refuses to be open on %s', (host) => {
    const fault = ['HOST must be a loopback address, unless API_KEY is set or ALLOW_OPEN is true'];
    expect(faultsOf({ HOST: host })).toEqual(fault);
    expect(faultsOf({ HOST: host, ALLOW_OPEN: 'false' })).toEqual(fault);
    expect(faultsOf({ HOST: host, ALLOW_OPEN: 'true' })).toEqual([]);
    expect(faultsOf({ HOST: host, API_KEY: 'k'.repeat(16) })).toEqual([]);
  });

  it('[AU6.3] refuses a key that can be guessed, where others than this machine could try', () => {
    const fault = ['API_KEY must have at least 16 characters, unless HOST is a loopback address'];
    expect(faultsOf({ HOST: '0.0.0.0', API_KEY: 'k'.repeat(15) })).toEqual(fault);
    expect(faultsOf({ HOST: '0.0.0.0', API_KEY: 'k'.repeat(15), ALLOW_OPEN: 'true' })).toEqual(fault);
    expect(faultsOf({ API_KEY: 'k' })).toEqual([]);
  });

  it.each(['127.0.0.1', '127.0.0.53', 'localhost', '::1'])('[AU4.2] needs no key on %s', (host) => {
    expect(faultsOf({ HOST: host })).toEqual([]);
  });
});

describe('TRUST_PROXY', () => {
  it('[AU3.3] is a list of addresses and ranges', () => {
    expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1,192.0.2.1 , fd00::/8' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      '::1',
      '192.0.2.1',
      'fd00::/8',
    ]);
  });

  it.each(['true', 'proxy.example', '10.0.0.0/33', '10.0.0/8', '::1/129', '10.0.0.0/8/8', '10.0.0.0/'])(
    '[AU3.3] refuses %s',
    (text) => {
      const fault = 'TRUST_PROXY must be addresses or ranges, as in 10.0.0.0/8, ::1';
      expect(faultsOf({ TRUST_PROXY: text })).toEqual([fault]);
    },
  );
});

describe('ALLOWED_PRIVATE_HOSTS', () => {
  it('[SR1.7] is a list of names, addresses and ranges', () => {
    expect(
      readConfig({ ALLOWED_PRIVATE_HOSTS: 'n8n, my_crm.internal. ,10.0.0.0/8,fd00::1' }).allowedPrivateHosts,
    ).toEqual(['n8n', 'my_crm.internal.', '10.0.0.0/8', 'fd00::1']);
    expect(readConfig({}).allowedPrivateHosts).toEqual([]);
  });

  it.each(['http://n8n', '10.0.0.0/33', '10.0.0', '-n8n', 'a b', '*.internal', 'n8n:5678', '300.1.1.1'])(
    '[SR1.7] refuses %s',
    (text) => {
      const fault = 'ALLOWED_PRIVATE_HOSTS must be names, addresses or ranges, as in n8n, 10.0.0.0/8';
      expect(faultsOf({ ALLOWED_PRIVATE_HOSTS: text })).toEqual([fault]);
    },
  );
});

describe('METRICS_TOKEN', () => {
  it('[AU4.3] is long where other machines reach the gateway', () => {
    const open = { HOST: '0.0.0.0', API_KEY: 'a secret of many characters' };
    expect(readConfig({ ...open, METRICS_TOKEN: 'another of many characters' }).metricsToken).toBe(
      'another of many characters',
    );
    expect(faultsOf({ ...open, METRICS_TOKEN: 'short' })).toEqual([
      'METRICS_TOKEN must have at least 16 characters, unless HOST is a loopback address',
    ]);
    expect(readConfig({ METRICS_TOKEN: 'short' }).metricsToken).toBe('short');
  });
});

/** Settings of the bridge, from the environment. README.md has a line for each. */
export interface Config {
  /** Base address of the gateway, without a slash at its end; so is `chatwootUrl`. */
  gatewayUrl: string;
  sessionId: string;
  sessionSecret: string;
  chatwootUrl: string;
  accountId: number;
  inboxId: number;
  accessToken: string;
  /** Of the inbox's webhook: signs what Chatwoot 4.13 and newer send. */
  webhookSecret: string | undefined;
  /** Part of the webhook's path, for versions of Chatwoot that sign nothing. */
  webhookToken: string | undefined;
  host: string;
  port: number;
  dataDir: string;
  /** Larger files go to Chatwoot as a link. */
  maxFileBytes: number;
  /** Time between two requests to Chatwoot for messages of which no webhook has arrived. */
  catchUpMs: number;
}

const required = [
  'GATEWAY_URL',
  'SESSION_ID',
  'SESSION_SECRET',
  'CHATWOOT_URL',
  'CHATWOOT_ACCOUNT_ID',
  'CHATWOOT_INBOX_ID',
  'CHATWOOT_ACCESS_TOKEN',
];
/** Chatwoot's own default (MAXIMUM_FILE_UPLOAD_SIZE). */
const defaultMaxFileMb = 40;
const minSecretLength = 16;

/** @throws with a line for each setting that is missing or wrong, without any value */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const faults: string[] = [];
  const text = (name: string): string => environment[name]?.trim() ?? '';
  const url = (name: string): string => {
    const value = text(name).replace(/\/+$/, '');
    if (value !== '' && !/^https?:\/\/[^/]/.test(value)) faults.push(`${name} must be an http or https URL`);
    return value;
  };
  const number = (name: string, fallback: number): number => {
    const value = text(name) === '' ? fallback : Number(text(name));
    if (!Number.isInteger(value) || value < 0) faults.push(`${name} must be a whole number`);
    return value;
  };
  const secret = (name: string): string | undefined => {
    const value = text(name);
    if (value !== '' && value.length < minSecretLength)
      faults.push(`${name} must have at least ${minSecretLength} characters`);
    return value === '' ? undefined : value;
  };
  for (const name of required) if (text(name) === '') faults.push(`${name} is missing`);
  const config: Config = {
    gatewayUrl: url('GATEWAY_URL'),
    sessionId: text('SESSION_ID'),
    sessionSecret: text('SESSION_SECRET'),
    chatwootUrl: url('CHATWOOT_URL'),
    accountId: number('CHATWOOT_ACCOUNT_ID', 0),
    inboxId: number('CHATWOOT_INBOX_ID', 0),
    accessToken: text('CHATWOOT_ACCESS_TOKEN'),
    webhookSecret: secret('CHATWOOT_WEBHOOK_SECRET'),
    webhookToken: secret('WEBHOOK_TOKEN'),
    host: text('HOST') || '127.0.0.1',
    port: number('PORT', 3300),
    dataDir: text('DATA_DIR') || './chatwoot-data',
    maxFileBytes: number('MAX_FILE_MB', defaultMaxFileMb) * 1024 * 1024,
    catchUpMs: Math.max(1, number('CATCH_UP_SECONDS', 60)) * 1000,
  };
  if (config.webhookSecret === undefined && config.webhookToken === undefined) {
    faults.push('CHATWOOT_WEBHOOK_SECRET or WEBHOOK_TOKEN is missing: anyone could write in your name without one');
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return config;
}

const schemes = /^(?:kurrentdb|kurrent|kdb)(?:\+discover)?:\/\//;

/**
 * Settings of the connection string that this store is built on, where the operator has not set them otherwise.
 * - The native half of the client waits this long before it connects at all, and between looks for a leader; its 500 ms
 *   would be the first read's delay.
 * - Reads see what was appended only on the leader. The two halves differ in what they prefer by themselves.
 */
const defaults = { discoveryInterval: '20', nodePreference: 'leader' };

export interface ConnectionSettings {
  /** As the client gets it. */
  url: string;
  /** The ones in the URL. The native half of the client does not decode them there: it is handed them apart. */
  credentials: { username: string; password: string } | undefined;
}

/**
 * What is needed to connect.
 * @throws {TypeError} it is none. The message does not repeat it: it may carry a password.
 */
export function readConnectionString(url: string): ConnectionSettings {
  if (!schemes.test(url)) throw new TypeError('the event store URL does not begin with kurrentdb://');
  const [address = '', query = ''] = url.split('?', 2);
  const settings = query === '' ? [] : query.split('&');
  const isSet = (name: string): boolean =>
    settings.some((setting) => setting.toLowerCase().startsWith(`${name.toLowerCase()}=`));
  if (settings.some((setting) => /^throwOnAppendFailure=false$/i.test(setting))) {
    throw new TypeError('the event store URL must not turn throwOnAppendFailure off');
  }
  const missing = Object.entries(defaults).filter(([name]) => !isSet(name));
  return {
    url: `${address}?${[...settings, ...missing.map(([name, value]) => `${name}=${value}`)].join('&')}`,
    credentials: credentialsOf(address),
  };
}

function credentialsOf(address: string): ConnectionSettings['credentials'] {
  const [, username, password] = /\/\/([^:@]+):([^@]+)@/.exec(address) ?? [];
  if (username === undefined || password === undefined) return undefined;
  try {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new TypeError('the credentials in the event store URL are not percent-encoded');
  }
}

const schemes = /^(?:kurrentdb|kurrent|kdb)(?:\+discover)?:\/\//;

/**
 * Settings of the connection string that this store is built on, where the operator has not set them otherwise.
 * - Between two looks for the leader: an append waits for them.
 * - Reads see what was appended only on the leader.
 */
const defaults = { discoveryInterval: '20', nodePreference: 'leader' };

/**
 * The connection string as the client gets it.
 * @throws {TypeError} it is none. The message does not repeat it: it may carry a password.
 */
export function connectionString(url: string): string {
  if (!schemes.test(url)) throw new TypeError('the event store URL does not begin with kurrentdb://');
  const [address = '', query = ''] = url.split('?', 2);
  const settings = query === '' ? [] : query.split('&');
  const isSet = (name: string): boolean =>
    settings.some((setting) => setting.toLowerCase().startsWith(`${name.toLowerCase()}=`));
  if (settings.some((setting) => /^throwOnAppendFailure=false$/i.test(setting))) {
    throw new TypeError('the event store URL must not turn throwOnAppendFailure off');
  }
  const missing = Object.entries(defaults).filter(([name]) => !isSet(name));
  return `${address}?${[...settings, ...missing.map(([name, value]) => `${name}=${value}`)].join('&')}`;
}

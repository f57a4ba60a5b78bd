import { StoreUrlError } from '../../../config/store-url.ts';

const schemes = /^(?:kurrentdb|kurrent|kdb)(?:\+discover)?:\/\//;

/**
 * Defaults for what the operator has not set in the connection string.
 * - `discoveryInterval`: milliseconds between two attempts to find the leader; appends wait for them.
 * - `nodePreference`: only the leader shows at once what was appended.
 */
const defaults = { discoveryInterval: '20', nodePreference: 'leader' };

/**
 * The connection string for the client.
 * @throws {StoreUrlError} it is not valid. The message does not repeat it: it may contain a password.
 */
export function connectionString(url: string): string {
  if (!schemes.test(url)) throw new StoreUrlError('the event store URL does not begin with kurrentdb://');
  const [address = '', query = ''] = url.split('?', 2);
  const settings = query === '' ? [] : query.split('&');
  const isSet = (name: string): boolean =>
    settings.some((setting) => setting.toLowerCase().startsWith(`${name.toLowerCase()}=`));
  if (settings.some((setting) => /^throwOnAppendFailure=false$/i.test(setting))) {
    throw new StoreUrlError('the event store URL must not turn throwOnAppendFailure off');
  }
  const missing = Object.entries(defaults).filter(([name]) => !isSet(name));
  return `${address}?${[...settings, ...missing.map(([name, value]) => `${name}=${value}`)].join('&')}`;
}

import { isIP } from 'node:net';

/** A name or an address that only this machine can reach. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** The addresses and ranges of TRUST_PROXY. */
export function trustedProxies(text: string, faults: string[]): string[] {
  const proxies = partsOf(text);
  if (!proxies.every(isAddressOrRange)) faults.push('TRUST_PROXY must be addresses or ranges, as in 10.0.0.0/8, ::1');
  return proxies;
}

/** A host name of RFC 1123, or of a container: Docker's may have underscores. */
const hostName = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\.?$/i;

/** The names, addresses and ranges of ALLOWED_PRIVATE_HOSTS. */
export function privateHosts(text: string, faults: string[]): string[] {
  const hosts = partsOf(text);
  // A name of digits and dots alone is an address with a mistake in it.
  const isHost = (host: string): boolean => isAddressOrRange(host) || (hostName.test(host) && !/^[\d.]+$/.test(host));
  if (!hosts.every(isHost)) {
    faults.push('ALLOWED_PRIVATE_HOSTS must be names, addresses or ranges, as in n8n, 10.0.0.0/8');
  }
  return hosts;
}

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  if (isIP(address) === 0 || more.length > 0) return false;
  const maxBits = isIP(address) === 4 ? 32 : 128;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
}

import { isIP } from 'node:net';

/** A name or an address that only this machine can reach. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** The addresses and ranges of TRUST_PROXY. */
export function trustedProxies(text: string, faults: string[]): string[] {
  const proxies = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (!proxies.every(isAddressOrRange)) faults.push('TRUST_PROXY must be addresses or ranges, as in 10.0.0.0/8, ::1');
  return proxies;
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  if (isIP(address) === 0 || more.length > 0) return false;
  const maxBits = isIP(address) === 4 ? 32 : 128;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
}

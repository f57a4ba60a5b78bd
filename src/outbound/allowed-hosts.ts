import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Whether a host may be connected to although its address is private. The name is the one that a URL has. */
export type IsAllowedHost = (name: string, address: string) => boolean;

/**
 * The hosts that ALLOWED_PRIVATE_HOSTS lists (SR1.5). A name permits every address that it has; an address or a range
 * permits every name that has an address in it.
 * @param hosts names, addresses, and ranges as in `10.0.0.0/8`
 */
export function allowedHosts(hosts: readonly string[]): IsAllowedHost {
  const names = new Set<string>();
  const ranges: Range[] = [];
  for (const host of hosts) {
    if (host.includes('/')) ranges.push(ipaddr.parseCIDR(host));
    else if (ipaddr.isValid(host)) ranges.push(single(ipaddr.process(host)));
    else names.add(withoutDot(host.toLowerCase()));
  }
  return (name, address) => {
    if (names.has(withoutDot(name.toLowerCase()))) return true;
    if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return ranges.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits));
  };
}

const single = (address: ipaddr.IPv4 | ipaddr.IPv6): Range => [address, address.kind() === 'ipv4' ? 32 : 128];

const withoutDot = (name: string): string => name.replace(/\.$/, '');

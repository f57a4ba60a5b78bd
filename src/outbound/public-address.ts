import ipaddr from 'ipaddr.js';

/** IANA's global unicast range (RFC 4291, section 2.4; IPv6 address space registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Public in every registry, but served by the host of a virtual machine: Azure's WireServer, which serves certificates
 * and settings (learn.microsoft.com, "What is IP address 168.63.129.16?").
 */
const hostServices: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * The address to connect to, or undefined if it is not public unicast. An IPv6 address that holds an IPv4 address is
 * judged by the latter: mapped (RFC 4291) and translated (`64:ff9b::/96`, RFC 6052, by which a network without IPv4
 * reaches every IPv4 address). The tunnels 6to4 and Teredo are refused: no public service is reached by them today.
 */
export function publicAddress(text: string): string | undefined {
  if (!ipaddr.isValid(text) || text.includes('%')) return undefined;
  const address = ipaddr.parse(text);
  if (address.kind() === 'ipv4') return isPublicIPv4(address as ipaddr.IPv4) ? text : undefined;
  const wide = address as ipaddr.IPv6;
  const range = wide.range();
  if (range === 'ipv4Mapped') return publicAddress(wide.toIPv4Address().toString());
  if (range === 'rfc6052') {
    const bytes = wide.toByteArray();
    // RFC 8215's `64:ff9b:1::/48` is for local use: the place of the IPv4 address in it depends on the network.
    if (bytes[4] !== 0 || bytes[5] !== 0) return undefined;
    return isPublicIPv4(new ipaddr.IPv4(bytes.slice(12))) ? text : undefined;
  }
  return range === 'unicast' && wide.match(globalUnicast) ? text : undefined;
}

const isPublicIPv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && !hostServices.has(address.toString());

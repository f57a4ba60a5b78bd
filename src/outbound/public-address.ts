import ipaddr from 'ipaddr.js';

/** All that IANA has given out as global unicast (RFC 4291, section 2.4; its IPv6 address space registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Public by every registry, and yet served by the host that a machine runs on: Azure's WireServer, which hands out
 * certificates and settings (learn.microsoft.com, "What is IP address 168.63.129.16?").
 */
const hostServices: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * The address to connect to, or undefined where it isn't public unicast. IPv4 inside IPv6 counts as what it carries:
 * mapped (RFC 4291) and translated (`64:ff9b::/96`, RFC 6052; a network without IPv4 reaches everything that way).
 * Tunnels that carry an IPv4 address (6to4, Teredo) are refused whatever it is: nothing public is found there today.
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
    // RFC 8215's `64:ff9b:1::/48` is for a network's own use, and where the IPv4 address lies in it is its own affair.
    if (bytes[4] !== 0 || bytes[5] !== 0) return undefined;
    return isPublicIPv4(new ipaddr.IPv4(bytes.slice(12))) ? text : undefined;
  }
  return range === 'unicast' && wide.match(globalUnicast) ? text : undefined;
}

const isPublicIPv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && !hostServices.has(address.toString());

/** The secret of an MTProxy: https://core.telegram.org/mtproto/mtproto-transports#transport-obfuscation */
export interface MtproxySecret {
  /** 16 bytes. */
  readonly bytes: Buffer;
  /** With `ee` secrets: the name of the site that the connection pretends to go to. */
  readonly domain: string | undefined;
}

const SECRET_BYTES = 16;
const RANDOM_PADDING = 0xdd;
const FAKE_TLS = 0xee;

/**
 * Reads a secret in hex: 16 bytes; `dd` and 16 bytes, whose clients pad their packets; or `ee`, 16 bytes and a domain,
 * whose connections look like TLS. Undefined if it is none of these.
 */
export function parseMtproxySecret(hex: string): MtproxySecret | undefined {
  if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) return undefined;
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length === SECRET_BYTES) return { bytes, domain: undefined };
  const rest = bytes.subarray(1);
  if (bytes[0] === RANDOM_PADDING && rest.length === SECRET_BYTES) return { bytes: rest, domain: undefined };
  if (bytes[0] !== FAKE_TLS || rest.length <= SECRET_BYTES) return undefined;
  return { bytes: rest.subarray(0, SECRET_BYTES), domain: rest.toString('latin1', SECRET_BYTES) };
}

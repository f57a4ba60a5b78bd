import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import type { ProxySecret } from '../port/proxy-url.ts';
import { clientHello } from './client-hello.ts';
import { ProxyError } from './proxy-error.ts';
import { ProxyReader } from './read-socket.ts';

const headerBytes = 5;
const randomAt = 11;
const randomBytesCount = 32;
const recordTypes = { changeCipherSpec: 0x14, handshake: 0x16, applicationData: 0x17 } as const;
/** RFC 8446, section 5.2. */
const maxRecordBytes = 16_384 + 256;
/** Telegram's own clients send no longer records. */
const maxSentBytes = 2_878;
const changeCipherSpec = Buffer.from([recordTypes.changeCipherSpec, 3, 3, 0, 1, 1]);

/** The TLS records around the data of a connection to an MTProto proxy with an `ee` secret. */
export interface TlsDisguise {
  wrap(bytes: Buffer): Buffer;
  /** Takes bytes from the network. @returns what is inside the whole records so far @throws {ProxyError} */
  unwrap(chunk: Buffer): Buffer;
}

/** Exchanges hellos. @throws {ProxyError} the proxy does not know the secret */
export async function disguiseAsTls(
  { clock, random }: { clock: Pick<Clock, 'now'>; random: Pick<Randomness, 'bytes'> },
  socket: Socket,
  secret: ProxySecret,
): Promise<TlsDisguise> {
  const reader = new ProxyReader(socket);
  const { record, digest: sent } = clientHello(random, secret.bytes, secret.domain, clock.now());
  socket.write(record);
  const answer: Buffer[] = [];
  // The proxy's hello, the change of the cipher and the first record of data belong to its answer.
  for (const type of [recordTypes.handshake, recordTypes.changeCipherSpec, recordTypes.applicationData]) {
    const header = await reader.exactly(headerBytes);
    if (header[0] !== type) throw new ProxyError('proxy-auth-failed');
    answer.push(header, await reader.exactly(lengthOf(header)));
  }
  const bytes = Buffer.concat(answer);
  const digest = Buffer.from(bytes.subarray(randomAt, randomAt + randomBytesCount));
  bytes.fill(0, randomAt, randomAt + randomBytesCount);
  const expected = createHmac('sha256', secret.bytes).update(sent).update(bytes).digest();
  if (digest.length !== expected.length || !timingSafeEqual(digest, expected))
    throw new ProxyError('proxy-auth-failed');
  return records();
}

function records(): TlsDisguise {
  let isFirst = true;
  let rest: Buffer = Buffer.alloc(0);
  return {
    wrap(bytes) {
      const parts: Buffer[] = isFirst ? [changeCipherSpec] : [];
      isFirst = false;
      for (let start = 0; start < bytes.length; start += maxSentBytes) {
        const data = bytes.subarray(start, start + maxSentBytes);
        parts.push(Buffer.from([recordTypes.applicationData, 3, 3, data.length >> 8, data.length & 0xff]), data);
      }
      return Buffer.concat(parts);
    },
    unwrap(chunk) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const inside: Buffer[] = [];
      let at = 0;
      while (rest.length - at >= headerBytes) {
        const header = rest.subarray(at, at + headerBytes);
        const end = at + headerBytes + lengthOf(header);
        if (rest.length < end) break;
        if (header[0] === recordTypes.applicationData) inside.push(rest.subarray(at + headerBytes, end));
        else if (header[0] !== recordTypes.changeCipherSpec) throw new ProxyError('proxy-refused');
        at = end;
      }
      rest = rest.subarray(at);
      return inside.length === 1 ? (inside[0] ?? Buffer.alloc(0)) : Buffer.concat(inside);
    },
  };
}

function lengthOf(header: Buffer): number {
  const length = header.readUInt16BE(3);
  if (header[1] !== 3 || length > maxRecordBytes) throw new ProxyError('proxy-refused');
  return length;
}

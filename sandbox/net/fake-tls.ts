import { createHmac, randomBytes } from 'node:crypto';
import { ByteQueue } from './byte-queue.ts';
import { FramingError } from './framing.ts';

/**
 * The disguise of an MTProxy with an `ee` secret: a connection begins like TLS 1.3, and its data are in records of
 * application data. Client and proxy recognise each other by an HMAC in the random bytes of their hellos.
 */
export interface FakeTls {
  /** Takes bytes from the network: gives those inside the records, and what has to be answered. Throws FramingError. */
  receive(chunk: Buffer): { plain: Buffer; answer: Buffer };
  wrap(bytes: Buffer): Buffer;
}

const RECORD_HEADER_BYTES = 5;
const MAX_RECORD_BYTES = 16_384;
const recordTypes = { changeCipherSpec: 0x14, handshake: 0x16, applicationData: 0x17 } as const;
/** Record header, type and length of the handshake, and version stand before the random bytes of a hello. */
const RANDOM_OFFSET = 11;
const RANDOM_BYTES = 32;
/** The last bytes of the digest are combined with the client's time. */
const TIME_BYTES = 4;
/** How far the clocks may be apart. */
const MAX_TIME_DIFFERENCE_S = 600;
const SESSION_ID_OFFSET = RANDOM_OFFSET + RANDOM_BYTES;
const changeCipherSpec = Buffer.from([recordTypes.changeCipherSpec, 3, 3, 0, 1, 1]);
/** The proxy's half of a key exchange, and the version TLS 1.3. */
const keyShare = (): Buffer =>
  Buffer.concat([Buffer.from('00330024001d0020', 'hex'), randomBytes(32), Buffer.from('002b00020304', 'hex')]);

/** `now`: milliseconds since 1970. */
export function createFakeTls(secret: Buffer, now: () => number = Date.now): FakeTls {
  const queue = new ByteQueue();
  let greeted = false;

  function greet(hello: Buffer): Buffer {
    const random = Buffer.from(hello.subarray(RANDOM_OFFSET, SESSION_ID_OFFSET));
    if (!isGenuine(secret, hello, random, now())) throw new FramingError('the hello does not know the secret');
    const sessionId = hello.subarray(SESSION_ID_OFFSET, SESSION_ID_OFFSET + 1 + RANDOM_BYTES);
    return serverHello(secret, random, sessionId);
  }

  return {
    receive(chunk) {
      queue.push(chunk);
      const plain: Buffer[] = [];
      const answers: Buffer[] = [];
      for (let record = takeRecord(queue); record; record = takeRecord(queue)) {
        if (record[0] === recordTypes.applicationData && greeted) plain.push(record.subarray(RECORD_HEADER_BYTES));
        else if (record[0] === recordTypes.handshake && !greeted) {
          answers.push(greet(record));
          greeted = true;
        } else if (record[0] !== recordTypes.changeCipherSpec) throw new FramingError('unexpected TLS record');
      }
      return { plain: Buffer.concat(plain), answer: Buffer.concat(answers) };
    },
    wrap(bytes) {
      const records: Buffer[] = [];
      for (let start = 0; start < bytes.length; start += MAX_RECORD_BYTES) {
        records.push(tlsRecord(recordTypes.applicationData, bytes.subarray(start, start + MAX_RECORD_BYTES)));
      }
      return Buffer.concat(records);
    },
  };
}

/** A whole record with its header; undefined while it is incomplete. Throws FramingError. */
function takeRecord(queue: ByteQueue): Buffer | undefined {
  const header = queue.peek(RECORD_HEADER_BYTES);
  if (!header) return undefined;
  const length = header.readUInt16BE(3);
  if (header[1] !== 3 || length > MAX_RECORD_BYTES + 256) throw new FramingError('no TLS record');
  return queue.take(RECORD_HEADER_BYTES + length);
}

function isGenuine(secret: Buffer, hello: Buffer, random: Buffer, nowMs: number): boolean {
  if (hello.length < SESSION_ID_OFFSET + 1 + RANDOM_BYTES || hello[SESSION_ID_OFFSET] !== RANDOM_BYTES) return false;
  const blank = Buffer.from(hello);
  blank.fill(0, RANDOM_OFFSET, SESSION_ID_OFFSET);
  const digest = createHmac('sha256', secret).update(blank).digest();
  const timeOffset = RANDOM_BYTES - TIME_BYTES;
  if (!digest.subarray(0, timeOffset).equals(random.subarray(0, timeOffset))) return false;
  const time = (digest.readUInt32LE(timeOffset) ^ random.readUInt32LE(timeOffset)) >>> 0;
  return Math.abs(time - nowMs / 1000) <= MAX_TIME_DIFFERENCE_S;
}

function serverHello(secret: Buffer, clientRandom: Buffer, sessionId: Buffer): Buffer {
  const extensions = keyShare();
  const cipherAndCompression = Buffer.from([0x13, 0x01, 0]);
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(RANDOM_BYTES),
    sessionId,
    cipherAndCompression,
    uint16(extensions.length),
    extensions,
  ]);
  const hello = Buffer.concat([Buffer.from([2, 0]), uint16(body.length), body]);
  const certificate = randomBytes(1_024 + (randomBytes(1)[0] ?? 0));
  const answer = Buffer.concat([
    tlsRecord(recordTypes.handshake, hello),
    changeCipherSpec,
    tlsRecord(recordTypes.applicationData, certificate),
  ]);
  createHmac('sha256', secret).update(clientRandom).update(answer).digest().copy(answer, RANDOM_OFFSET);
  return answer;
}

function tlsRecord(type: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, 3, 3]), uint16(body.length), body]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

import { unzipSync } from 'node:zlib';
import { AuthKey } from 'telegram/crypto/AuthKey.js';
import type { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import { GZIPPacked } from 'telegram/tl/core/GZIPPacked.js';
import { MessageContainer } from 'telegram/tl/core/MessageContainer.js';
import { TLMessage } from 'telegram/tl/core/TLMessage.js';
import { Api } from 'telegram/tl/index.js';

const keyBytes = 256;
let undo: (() => void) | undefined;

/**
 * Cures defects of functions that GramJS shares among all its parts, at run time, for the whole process, once. The other
 * defects are cured where they belong, and tested by their numbers in `test/integration/telegram/defects/defects-of-*.test.ts`:
 *
 * - D1, D3, D4, D6: `sender.ts` · D2: `catch-up.ts` · D5: `peer-book.ts` · D7: `login-lost.ts`
 * - D8, D10: `mtproto-connection.ts`, `file-connection-pool.ts`, `login-state.ts`: connections closed whole, when unused too; keys without
 *   addresses
 * - D9: `send-text.ts` · D11: `tcp-socket.ts` · D12: here
 *
 * Here as well: one message of a container that can't be read loses the others no more.
 *
 * @returns what takes the cures back
 */
export function applyHardening(): () => void {
  if (undo === undefined) {
    const undos = [padKeys(), readWhatIsKnown(), unzipWithLimit()];
    undo = () => {
      for (const each of undos) each();
      undo = undefined;
    };
  }
  return undo;
}

/** D12: a key whose first byte is zero loses it, and the handshake fails: 1 of 256. */
function padKeys(): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its object below
  const { setKey } = AuthKey.prototype;
  AuthKey.prototype.setKey = function setWholeKey(this: AuthKey, value?: Buffer | AuthKey): Promise<void> {
    const short = Buffer.isBuffer(value) && value.length > 0 && value.length < keyBytes;
    return setKey.call(this, short ? Buffer.concat([Buffer.alloc(keyBytes - value.length), value]) : value);
  };
  return () => {
    AuthKey.prototype.setKey = setKey;
  };
}

/** An unreadable message loses the rest of its container in GramJS. */
function readWhatIsKnown(): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- it has no use for its class
  const { fromReader } = MessageContainer;
  MessageContainer.fromReader = async (reader) => {
    const messages: TLMessage[] = [];
    for (let left = reader.readInt(); left > 0; left--) {
      const id = reader.readLong();
      const seqNo = reader.readInt();
      const length = reader.readInt();
      const end = reader.tellPosition() + length;
      const body = readKnown(reader);
      reader.setPosition(end);
      messages.push(new TLMessage(id, seqNo, body));
    }
    return new MessageContainer(messages);
  };
  return () => {
    MessageContainer.fromReader = fromReader;
  };
}

/**
 * Reads the body of a message. Answers to requests hold theirs as bytes, so what this layer cannot read is a push of a
 * later layer: a reason to fetch missed updates, as `updatesTooLong` is.
 */
export function readKnown(reader: BinaryReader): unknown {
  try {
    const object: unknown = reader.tgReadObject();
    // What is packed is read in a promise, which may be rejected before anything waits for it.
    if (object instanceof Promise) object.catch(() => undefined);
    return object;
  } catch {
    return new Api.UpdatesTooLong();
  }
}

/** The largest answer, a page of history with all that belongs to it, has under 2 MB (NB6). */
const maxUnpackedBytes = 16 * 1024 * 1024;

/** What came unpacks to more than an answer of Telegram's has. */
export class SwollenAnswerError extends Error {
  override name = 'SwollenAnswerError';
}

/** @throws {SwollenAnswerError} and why it cannot be unpacked */
function unzip(packed: Buffer): Buffer {
  try {
    return unzipSync(packed, { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new SwollenAnswerError(`it unpacks to more than ${maxUnpackedBytes} bytes`, { cause: error });
  }
}

/**
 * GramJS unpacks in JavaScript, and whatever comes out of it: 1 MB of an answer can hold up the process for 40 s, and take
 * 3 GB.
 * @returns what takes the cure back
 */
function unzipWithLimit(): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- it has no use for its class
  const { ungzip } = GZIPPacked;
  GZIPPacked.ungzip = unzip;
  return () => {
    GZIPPacked.ungzip = ungzip;
  };
}

import { AuthKey } from 'telegram/crypto/AuthKey.js';
import type { BinaryReader } from 'telegram/extensions/BinaryReader.js';
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
    const undos = [padKeys(), readWhatIsKnown()];
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
    return reader.tgReadObject();
  } catch {
    return new Api.UpdatesTooLong();
  }
}

import { gzipSync, unzipSync } from 'node:zlib';
import type { TlReader } from '../tl/reader.ts';
import { TlError } from '../tl/tl-error.ts';
import { TlWriter } from '../tl/writer.ts';

export const containerId = 0x73f1f8dc;
export const gzipPackedId = 0x3072cfa1;
export const rpcResultId = 0xf35c6d01;

/** https://core.telegram.org/mtproto/service_messages#containers */
const MAX_CONTAINED_MESSAGES = 1020;
const MAX_UNPACKED_BYTES = 16 << 20;
/** Smaller answers do not shrink; larger ones are files, which gzip does not shrink either. */
const MIN_PACKED_BYTES = 1024;
const MAX_PACKED_BYTES = 1 << 20;

/** A message of MTProto: not one of a chat. */
export interface MtprotoMessage {
  id: bigint;
  seqno: number;
  body: Buffer;
}

const writer = new TlWriter();

/** The body of a container that holds these messages. */
export function writeContainer(messages: readonly MtprotoMessage[]): Buffer {
  writer.reset();
  writer.int(containerId);
  writer.int(messages.length);
  for (const { id, seqno, body } of messages) {
    writer.long(id);
    writer.int(seqno);
    writer.int(body.length);
    writer.raw(body);
  }
  return writer.finish();
}

/** The messages of a container; its constructor ID has been read already. Throws TlError. */
export function readContainer(reader: TlReader): MtprotoMessage[] {
  const count = reader.count();
  if (count > MAX_CONTAINED_MESSAGES) throw new TlError(`${count} messages in a container`);
  return Array.from({ length: count }, () => {
    const id = reader.long();
    const seqno = reader.int();
    return { id, seqno, body: reader.raw(reader.int()) };
  });
}

/** The body of an `rpc_result`; with `pack`, gzipped if that makes it smaller. */
export function writeResult(answerTo: bigint, result: Buffer, pack: boolean): Buffer {
  const packed = pack ? gzipped(result) : undefined;
  writer.reset();
  writer.int(rpcResultId);
  writer.long(answerTo);
  if (packed) {
    writer.int(gzipPackedId);
    writer.bytes(packed);
  } else {
    writer.raw(result);
  }
  return writer.finish();
}

/** The body of a message, gzipped whatever its size. */
export function writeGzipped(body: Buffer): Buffer {
  writer.reset();
  writer.int(gzipPackedId);
  writer.bytes(gzipSync(body, { level: 1 }));
  return writer.finish();
}

function gzipped(result: Buffer): Buffer | undefined {
  if (result.length < MIN_PACKED_BYTES || result.length > MAX_PACKED_BYTES) return undefined;
  const packed = gzipSync(result, { level: 1 });
  return packed.length + 8 < result.length ? packed : undefined;
}

/**
 * Unpacks `gzip_packed`. Most clients send a gzip stream, some a zlib one. Throws TlError if it is neither or too big.
 */
export function unpack(packed: Buffer): Buffer {
  try {
    return unzipSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    throw new TlError('gzip_packed cannot be unpacked', { cause: error });
  }
}

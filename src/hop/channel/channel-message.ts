import type { OutgoingHttpHeaders } from 'node:http';
import type { Hop } from '../hop-header.ts';
import type { PassedHeaders } from '../passed-headers.ts';

/** What the node that a request has come to says to the node that answers it. Requests have numbers of the channel. */
export type ChannelRequest = RequestHead | { kind: 'left'; number: number };

export interface RequestHead extends Pick<Hop, 'reqId' | 'client' | 'waitMs'> {
  kind: 'request';
  number: number;
  method: string;
  /** Path and query. */
  url: string;
  headers: PassedHeaders;
}

/** What that one says. `ending`: it answers what it was sent, and is to be sent nothing more. */
export type ChannelAnswer = AnswerHead | { kind: 'ending' };

export interface AnswerHead {
  kind: 'answer';
  number: number;
  status: number;
  headers: OutgoingHttpHeaders;
}

export interface ChannelItem<Head> {
  head: Head;
  body?: Buffer | undefined;
}

/** An item as it is sent. */
export interface EncodedItem {
  /** JSON: the head, and the length of the body. */
  head: string;
  body: Buffer | undefined;
  /** What it adds to a message. */
  bytes: number;
}

/** Of the length of the heads, big-endian. */
const lengthBytes = 4;

/** Encodes one item. Its `bytes` tell the sender when a message is full. */
export function encodeItem<Head extends object>({ head, body }: ChannelItem<Head>): EncodedItem {
  const bodyBytes = body?.length ?? 0;
  const text = JSON.stringify([head, bodyBytes]);
  return { head: text, body, bytes: Buffer.byteLength(text) + bodyBytes };
}

/**
 * A message of a channel: the length of its heads, a list of them in JSON, each with the length of its body, and the bodies.
 * @param reservedBytes are left free in front of it
 */
export function encodeItems(items: readonly EncodedItem[], reservedBytes = 0): Buffer {
  const heads = `[${items.map(({ head }) => head).join(',')}]`;
  const headBytes = Buffer.byteLength(heads);
  const from = reservedBytes + lengthBytes;
  const length = items.reduce((sum, { body }) => sum + (body?.length ?? 0), from + headBytes);
  const message = Buffer.allocUnsafe(length);
  message.writeUInt32BE(headBytes, reservedBytes);
  message.write(heads, from);
  let at = from + headBytes;
  for (const { body } of items) at += body?.copy(message, at) ?? 0;
  return message;
}

/** @param message without what is in front of it @throws Error it is none */
export function decodeItems<Head>(message: Buffer): ChannelItem<Head>[] {
  let at = lengthBytes + message.readUInt32BE(0);
  const heads = JSON.parse(message.toString('utf8', lengthBytes, at)) as [Head, number][];
  const items = heads.map(([head, length]) => {
    at += length;
    return { head, body: message.subarray(at - length, at) };
  });
  if (at !== message.length) throw new Error('the bodies are not as long as their heads say');
  return items;
}

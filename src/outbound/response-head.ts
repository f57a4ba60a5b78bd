import { OutboundError } from './outbound-error.ts';

/** What matters to who posts. */
export interface PostResponse {
  status: number;
  /** The header, as it came. */
  retryAfter: string | undefined;
}

/** What a server says before the body of its answer. */
export interface ResponseHead {
  answer: PostResponse;
  /** Where the body ends: after so many bytes, where its chunks say so, or only with the connection. */
  body: number | 'chunked' | 'unending';
  /** How long the connection may rest before it is used again, milliseconds; 0 where it may not be. */
  restMs: number;
}

/** Status line and fields, each in RFC 9112's form (sections 4 and 5), without the line ends that close it. */
const form = /^HTTP\/1\.[01] [1-9]\d\d(?: [^\r\n]*)?(?:\r\n[!#$%&'*+.^`|~\w-]+:[\t\x20-\x7e\x80-\xff]*)*$/;

/** Where a server does not say how long it keeps a connection. */
const defaultRestMs = 4_000;
/** However long a server would like it: connections to it are not hoarded. */
const mostRestMs = 30_000;
/** So much before a server closes a connection it is not used any more: a request would meet its end on the way. */
const restMarginMs = 1_000;

export const improperHttp = (): OutboundError => new OutboundError('it did not answer in proper HTTP');

/** @param text in Latin-1, without the empty line at its end. @throws {OutboundError} where it is not HTTP/1. */
export function parseResponseHead(text: string): ResponseHead {
  if (!form.test(text)) throw improperHttp();
  const fields = fieldsOf(text);
  const status = Number(text.slice(9, 12));
  const body = bodyOf(status, fields);
  const isKept = body !== 'unending' && keepsConnection(text, fields.get('connection') ?? '');
  return {
    answer: { status, retryAfter: fields.get('retry-after') },
    body,
    restMs: isKept ? restOf(fields.get('keep-alive')) : 0,
  };
}

/** By name in lower case; those of one name together, as RFC 9110 has it (section 5.3). */
function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return fields;
}

/** RFC 9112, section 6.3. Two lengths, or a length and chunks, are how one answer is passed off as two. */
function bodyOf(status: number, fields: ReadonlyMap<string, string>): ResponseHead['body'] {
  const length = fields.get('content-length');
  const encoding = fields.get('transfer-encoding');
  if (length !== undefined && (encoding !== undefined || !/^\d{1,15}$/.test(length))) throw improperHttp();
  if (status < 200 || status === 204 || status === 304) return 0;
  if (encoding !== undefined) return /(?:^|,[\t ]*)chunked$/i.test(encoding) ? 'chunked' : 'unending';
  return length === undefined ? 'unending' : Number(length);
}

/** RFC 9112, section 9.3. */
function keepsConnection(text: string, connection: string): boolean {
  const says = (word: string): boolean => connection.split(',').some((option) => option.trim().toLowerCase() === word);
  return text.startsWith('HTTP/1.1') ? !says('close') : says('keep-alive') && !says('close');
}

function restOf(keepAlive: string | undefined): number {
  const seconds = /(?:^|,)[\t ]*timeout=(\d{1,9})/i.exec(keepAlive ?? '')?.[1];
  if (seconds === undefined) return defaultRestMs;
  return Math.min(Math.max(0, Number(seconds) * 1000 - restMarginMs), mostRestMs);
}

import { describe, expect, it } from 'vitest';
import { parseResponseHead, type ResponseHead } from '../../../src/outbound/response-head.ts';
import { ResponseReader } from '../../../src/outbound/response-reader.ts';

const head = (...lines: string[]): ResponseHead => parseResponseHead(lines.join('\r\n'));

/** What becomes of bytes that come in these pieces. */
function read(...pieces: string[]): { status: number | undefined; progress: string } {
  const reader = new ResponseReader();
  reader.begin();
  for (const piece of pieces) reader.read(Buffer.from(piece, 'latin1'));
  return { status: reader.head?.answer.status, progress: reader.progress };
}

describe('the head of an answer', () => {
  it('[WH4] says the status and Retry-After, whatever else there is', () => {
    expect(head('HTTP/1.1 204 No Content', 'Date: Sat, 21 Nov 2026 10:00:00 GMT').answer).toEqual({ status: 204 });
    expect(head('HTTP/1.1 503', 'RETRY-after: \t120 ', 'x: y').answer).toEqual({ status: 503, retryAfter: '120' });
    expect(head('HTTP/1.0 999 ÄÖ\t!', 'Set-Cookie: a=\xfc', 'empty:').answer).toEqual({ status: 999 });
    expect(head('HTTP/1.1 429 ', 'retry-after: 1', 'retry-after: 2').answer.retryAfter).toBe('1, 2');
  });

  it('[WH4] says where the body ends', () => {
    expect(head('HTTP/1.1 200 OK', 'content-length: 12').body).toBe(12);
    expect(head('HTTP/1.1 200 OK', 'Transfer-Encoding: Chunked').body).toBe('chunked');
    expect(head('HTTP/1.1 200 OK', 'transfer-encoding: gzip, chunked').body).toBe('chunked');
    expect(head('HTTP/1.1 200 OK', 'transfer-encoding: gzip').body).toBe('unending');
    expect(head('HTTP/1.1 200 OK', 'transfer-encoding: notchunked').body).toBe('unending');
    expect(head('HTTP/1.1 200 OK').body).toBe('unending');
    expect(head('HTTP/1.1 204 OK', 'content-length: 12').body).toBe(0);
    expect(head('HTTP/1.1 304 OK', 'transfer-encoding: chunked').body).toBe(0);
  });

  it('[WH4] says for how long the connection is kept', () => {
    const restOf = (version: string, ...lines: string[]): number =>
      head(`HTTP/${version} 200 OK`, 'content-length: 0', ...lines).restMs;
    expect(restOf('1.1')).toBe(4_000);
    expect(restOf('1.1', 'keep-alive: timeout=5')).toBe(4_000);
    expect(restOf('1.1', 'keep-alive: max=3, timeout=20')).toBe(19_000);
    expect(restOf('1.1', 'keep-alive: timeout=600')).toBe(30_000);
    expect(restOf('1.1', 'keep-alive: timeout=1')).toBe(0);
    expect(restOf('1.1', 'keep-alive: timeout=0')).toBe(0);
    expect(restOf('1.1', 'Connection: Close')).toBe(0);
    expect(restOf('1.1', 'connection: keep-alive, close')).toBe(0);
    expect(restOf('1.0')).toBe(0);
    expect(restOf('1.0', 'connection: Keep-Alive')).toBe(4_000);
    expect(head('HTTP/1.1 200 OK', 'connection: keep-alive').restMs).toBe(0);
  });

  it.each([
    'HTTP/2 200 OK',
    'HTTP/1.1  200 OK',
    'HTTP/1.1 20 OK',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1 099 OK',
    'HTTP/1.1 200\tOK',
    'HTTP/1.1 200 O\rK',
    ' HTTP/1.1 200 OK',
    'ICY 200 OK',
    'HTTP/1.1 200 OK\nx: y',
    'HTTP/1.1 200 OK\r\nx : y',
    'HTTP/1.1 200 OK\r\n x: y',
    'HTTP/1.1 200 OK\r\nx: y\r\n folded',
    'HTTP/1.1 200 OK\r\n: y',
    'HTTP/1.1 200 OK\r\nnothing',
    'HTTP/1.1 200 OK\r\nx: y\rz: a',
    'HTTP/1.1 200 OK\r\nx: \x7f',
    'HTTP/1.1 200 OK\r\ncontent-length: -1',
    'HTTP/1.1 200 OK\r\ncontent-length: +1',
    'HTTP/1.1 200 OK\r\ncontent-length: 0x10',
    'HTTP/1.1 200 OK\r\ncontent-length:',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 1',
    'HTTP/1.1 200 OK\r\ncontent-length: 9999999999999999',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked',
  ])('[WH4] is refused where it is not HTTP/1, or can be read in two ways: %j', (text) => {
    expect(() => parseResponseHead(text)).toThrow(/^it did not answer in proper HTTP$/);
  });

  it('[WH4] is looked through in no time, however long and wrong it is', () => {
    for (const piece of ['a: b\r\n', ' ', '\t', 'a', '\r\n', 'a:', ': ', 'timeout=', 'chunked,', '\xff']) {
      const text = `HTTP/1.1 200 OK\r\n${piece.repeat(16_000 / piece.length)}\0`;
      expect(() => parseResponseHead(text)).toThrow(/proper HTTP/);
      for (const name of ['keep-alive', 'transfer-encoding', 'connection']) {
        parseResponseHead(`HTTP/1.1 200 OK\r\n${name}: ${piece.replaceAll(/[\r\n]/g, '').repeat(8_000)}`);
      }
    }
  });
});

describe('an answer', () => {
  const sized = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';
  const chunked = [
    'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n',
    '5\r\nhello\r\nA;name=value\r\n0123456789\r\n0f \r\n0\r\n\r\n0\r\n\r\n.....\r\n',
    '000\r\nx-trailer: y\r\n\r\n',
  ].join('');
  const afterOthers = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${sized}`;

  it.each([sized, chunked, afterOthers])('[WH4] ends where it ends, in whatever pieces it comes: %j', (text) => {
    const status = text === chunked ? 201 : 200;
    for (let first = 1; first <= text.length; first += 1) {
      expect(read(text.slice(0, first), text.slice(first))).toEqual({ status, progress: 'end' });
      const third = first + Math.ceil((text.length - first) / 2);
      expect(read(text.slice(0, first), text.slice(first, third), text.slice(third)).progress).toBe('end');
    }
    expect(read(...text.split('')).progress).toBe('end');
    for (let length = 0; length < text.length; length += 1) expect(read(text.slice(0, length)).progress).toBe('more');
  });

  it.each([sized, chunked])('[WH4] with something behind it is not one that another could follow: %j', (text) => {
    expect(read(`${text}H`).progress).toBe('broken');
  });

  it.each([
    'x\r\n',
    '\r\n',
    '-1\r\n',
    '0x1\r\na\r\n',
    '5\nhello\n',
    '5\r\nhelloo\r\n',
    '5\r\nhello\n',
    '123456789\r\n',
    '5 x\r\n',
    '0\r\nx: y\n\r\n',
    `5;${'x'.repeat(5000)}`,
  ])('[WH4] counts, though its chunks are in no such form: %j', (body) => {
    const text = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body}`;
    expect(read(text)).toEqual({ status: 200, progress: 'broken' });
    expect(read(...text.split(''))).toEqual({ status: 200, progress: 'broken' });
  });

  it('[WH4] counts, though its body is more than anybody wants to read', () => {
    const start = 'HTTP/1.1 200 OK\r\ncontent-length: 65537\r\n\r\n';
    expect(read(start, 'x'.repeat(65_536))).toEqual({ status: 200, progress: 'more' });
    expect(read(start, 'x'.repeat(65_536), 'x')).toEqual({ status: 200, progress: 'broken' });
    const many = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(11_000)}`;
    expect(read(many)).toEqual({ status: 200, progress: 'broken' });
    expect(read('HTTP/1.1 200 OK\r\n\r\n')).toEqual({ status: 200, progress: 'broken' });
  });

  it('[WH4] with a head of more than 16 KB is refused, as soon as that is known', () => {
    const start = 'HTTP/1.1 200 OK\r\n';
    const field = `x: ${'y'.repeat(16 * 1024 - start.length - 3)}`;
    expect(read(`${start}${field}`, '\r\n\r\n').status).toBe(200);
    expect(() => read(`${start}${field}y`, '\r\n\r\n')).toThrow(/proper HTTP/);
    expect(() => read('x'.repeat(20_000))).toThrow(/proper HTTP/);
    expect(() => read(...'x'.repeat(16_385).split(''))).toThrow(/proper HTTP/);
  });

  it('[WH4] that wants another protocol is refused', () => {
    expect(() => read('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n')).toThrow(/proper HTTP/);
  });

  it('[WH4] is not taken for the one before it on the same connection', () => {
    const reader = new ResponseReader();
    for (const text of [sized, sized, chunked, sized, 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', chunked]) {
      reader.begin();
      expect(reader.head).toBeUndefined();
      reader.read(Buffer.from(text));
      expect(reader.head?.answer.status).toBe(text === chunked ? 201 : 200);
      expect(reader.progress).toBe('end');
    }
  });
});

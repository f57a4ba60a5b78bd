import type { RequestUrl } from './request-url.ts';

/** RFC 9110, section 5.5: in Latin-1, though hardly anybody has more than ASCII. */
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/;
const plainForm = /^[\t\x20-\x7e]*$/;

const own = 'user-agent: telegram-session-gateway\r\nconnection: keep-alive\r\n';

/**
 * A POST as it goes over the connection.
 * @param headers by names as HTTP has them
 * @throws {TypeError} a value cannot be sent; says nothing of what it is
 */
export function postRequest(
  { host, path, authorization }: Pick<RequestUrl, 'host' | 'path' | 'authorization'>,
  headers: Readonly<Record<string, string>>,
  body: string,
): string | Uint8Array {
  let isPlain = true;
  let fields = authorization === undefined ? '' : `authorization: ${authorization}\r\n`;
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!plainForm.test(value)) {
      if (!valueForm.test(value)) throw new TypeError(`the header ${name} cannot be sent`);
      isPlain = false;
    }
    fields += `${name}: ${value}\r\n`;
  }
  const length = Buffer.byteLength(body);
  const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${own}${fields}content-length: ${length}\r\n\r\n`;
  // As one text, in UTF-8, where that makes no difference.
  return isPlain ? head + body : Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}

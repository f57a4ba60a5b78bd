import { errorCodes } from '../../../errors/error-code.ts';

/** `components/headers` of the document: the headers of responses that clients read. */
export const responseHeaders = {
  'x-request-id': { description: 'Names the request in the log of the gateway.', schema: { type: 'string' } },
  'x-error-code': {
    description: 'A stable name for the kind of error, beside its message. docs/errors.md has what each means.',
    schema: { type: 'string', enum: Object.keys(errorCodes) },
  },
  'retry-after': {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
  ratelimit: {
    description:
      'What the key may still send today, if it has a limit: `"sends-per-day";r=42;t=3600`, `t` in seconds until the next day.',
    schema: { type: 'string' },
  },
  'ratelimit-policy': {
    description: 'The limit: `"sends-per-day";q=100;w=86400`.',
    schema: { type: 'string' },
  },
  etag: {
    description: 'Names this version of the file, or of a JSON body of more than 1 KB; a shorter body has none.',
    schema: { type: 'string' },
  },
  'content-disposition': {
    description: 'Whether a browser shows the file or saves it, and its name (RFC 6266).',
    schema: { type: 'string' },
  },
  'content-range': { description: 'Which bytes of the file these are.', schema: { type: 'string' } },
} as const;
export type ResponseHeader = keyof typeof responseHeaders;

/** Headers of what counts for the limits of keys (KY3.6), for `Operation.headers`. */
export const allowanceHeaders: Readonly<Record<number, readonly ResponseHeader[]>> = {
  200: ['ratelimit', 'ratelimit-policy'],
  429: ['ratelimit', 'ratelimit-policy'],
};

/** Statuses whose responses may say when to try again. */
const retried: ReadonlySet<string> = new Set(['429', '500', '503']);

/** The headers of a response, as references. @param own those of the endpoint, by status */
export function headersOf(status: string, own: Readonly<Record<string, readonly ResponseHeader[]>> = {}): object {
  const names: ResponseHeader[] = ['x-request-id', ...(own[status] ?? [])];
  if (Number(status) >= 400) names.push('x-error-code');
  if (retried.has(status)) names.push('retry-after');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

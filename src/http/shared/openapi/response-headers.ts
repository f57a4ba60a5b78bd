/** `components/headers` of the document: the headers of responses that clients read. */
export const responseHeaders = {
  'retry-after': {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
  etag: { description: 'Names this version of the file.', schema: { type: 'string' } },
  'content-range': { description: 'Which bytes of the file these are.', schema: { type: 'string' } },
} as const;
export type ResponseHeader = keyof typeof responseHeaders;

/** Statuses whose responses may say when to try again. */
const retried: ReadonlySet<string> = new Set(['429', '500', '503']);

/** The headers of a response, as references. @param own those of the endpoint, by status */
export function headersOf(status: string, own: Readonly<Record<string, readonly ResponseHeader[]>> = {}): object {
  const names: ResponseHeader[] = [...(own[status] ?? []), ...(retried.has(status) ? (['retry-after'] as const) : [])];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

import { component } from '../shared/openapi/describe.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { headersOf } from '../shared/openapi/response-headers.ts';
import { errorsOf } from './errors-of.ts';
import { sharedErrors } from './shared-responses.ts';

/** All responses of an endpoint, by status: the successful ones, then its errors. */
export function responsesOf(operation: Operation): Record<string, object> {
  const described = operation.revalidated === true ? withETag(operation) : operation;
  return { 200: success(described, '200'), ...further(described), ...failures(described) };
}

const withETag = (operation: Operation): Operation => ({
  ...operation,
  headers: { 200: ['etag'], 304: ['etag'], ...operation.headers },
  further: { 304: '`If-None-Match` has its ETag.', ...operation.further },
});

/** `components/responses` of the document. */
export function sharedResponses(): Record<string, object> {
  return Object.fromEntries(Object.entries(sharedErrors).map(([name, lines]) => [name, failure(lines)]));
}

function success({ summary, response, headers }: Operation, status: string): object {
  const content =
    'schema' in response
      ? { 'application/json': { schema: response.schema, example: response.example } }
      : {
          [response.mediaType]: {
            schema: { type: 'string' },
            ...(response.example !== undefined && { example: response.example }),
          },
        };
  return { description: response.description ?? `${summary}.`, headers: headersOf(status, headers), content };
}

const further = (operation: Operation): Record<string, object> =>
  Object.fromEntries(
    Object.entries(operation.further ?? {}).map(([status, description]) => [
      status,
      // A response without `content` has no body.
      status === '206'
        ? { ...success(operation, status), description }
        : { description, headers: headersOf(status, operation.headers) },
    ]),
  );

const keyOf = (lines: readonly ErrorLine[]): string => JSON.stringify(lines);
const nameOf = new Map(Object.entries(sharedErrors).map(([name, lines]) => [keyOf(lines), name]));

function failures(operation: Operation): Record<string, object> {
  const byStatus = new Map<number, ErrorLine[]>();
  for (const line of errorsOf(operation)) byStatus.set(line[0], [...(byStatus.get(line[0]) ?? []), line]);
  return Object.fromEntries(
    Array.from(byStatus, ([status, lines]) => {
      const name = nameOf.get(keyOf(lines));
      return [
        status,
        name === undefined ? failure(lines, operation.headers) : { $ref: `#/components/responses/${name}` },
      ];
    }),
  );
}

/** The description has every message; the first one is the example. */
function failure(lines: readonly ErrorLine[], own?: Operation['headers']): object {
  const [[statusCode, message] = [500, '']] = lines;
  return {
    description: lines.map(([, text, when]) => `- \`${text}\`${when && `: ${when}`}`).join('\n'),
    headers: headersOf(String(statusCode), own),
    content: { 'application/json': { schema: component('Error'), example: { statusCode, message } } },
  };
}

import { comment, declare, type Schema, typeOf } from './schema-types.ts';

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  security?: readonly Record<string, unknown>[];
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** One operation of the API document, as the client has it: types, a method, and a line for the program. */
export interface ClientOperation {
  name: string;
  isOfSession: boolean;
  /** Declarations of its request and its response. */
  types: string;
  /** Its method in an interface. */
  method: string;
  /** `POST /message key`: method, path, and what is special. */
  route: string;
}

/** What a stream sends, by the operation. */
const streamed: Readonly<Record<string, string>> = {
  streamMessages: 'GatewayEvent',
  readMessages: 'GatewayEvent',
  streamEvents: 'AuditEntry',
  streamEventsOf: 'AuditEntry',
  streamSessions: 'SessionChange',
};

const aboutHeaders = /\n*Instead of `session-id`: a key with the scope `accounts`\./;

/** @param parameters of the operation, with every `$ref` resolved */
export function clientOperation(
  method: string,
  path: string,
  operation: Operation,
  parameters: readonly Parameter[],
): ClientOperation {
  const { operationId: name, security = [] } = operation;
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const request = requestOf(`${title}Request`, operation, parameters);
  const response = responseOf(`${title}Response`, name, operation);
  const mark = markOf(name, operation, parameters, response.schema);
  const optional = request.isOptional ? '?' : '';
  const given = [
    ...(mark === 'file' ? ['file: FileContent'] : []),
    ...(request.type === undefined ? [] : [`request${optional}: ${request.type}`]),
    `options?: ${mark === 'key' ? 'KeyedCallOptions' : name === 'readMessages' ? 'SocketOptions' : 'CallOptions'}`,
  ];
  const result = resultOf(mark, response.type, streamed[name]);
  const description = operation.description?.replace(aboutHeaders, '');
  return {
    name,
    isOfSession: security.some((scheme) => 'id' in scheme),
    types: request.declaration + response.declaration,
    method: `${comment([`${operation.summary}.`, description, `\`${method.toUpperCase()} ${path}\``], '  ')}  ${name}(${given.join(', ')}): ${result};\n`,
    route: [method.toUpperCase(), path, mark ?? (request.type === undefined ? '-' : '')].join(' ').trimEnd(),
  };
}

function resultOf(mark: string | undefined, response: string, item: string | undefined): string {
  if (mark === 'stream' || mark === 'socket') return `AsyncIterable<${item}>`;
  if (mark === 'after' || mark === 'before') return `Pages<${response}>`;
  return `Promise<${response}>`;
}

/**
 * `key`: takes an `Idempotency-Key`. `after`, `before`: has pages. `stream`, `socket`, `file`: as they say. A route without a
 * mark has `-` if there is nothing to ask for: its method takes options alone.
 */
function markOf(
  name: string,
  { responses, requestBody }: Operation,
  parameters: readonly Parameter[],
  response: Schema,
): string | undefined {
  if (name === 'readMessages') return 'socket';
  if (responses['200']?.content?.['text/event-stream']) return 'stream';
  if (requestBody?.content['*/*']) return 'file';
  if (parameters.some((one) => one.name === 'idempotency-key')) return 'key';
  return ['after', 'before'].find(
    (cursor) =>
      response.properties?.['docs'] && response.properties[cursor] && parameters.some((one) => one.name === cursor),
  );
}

interface Named {
  type: string;
  declaration: string;
}

/** Path, query and body are one object: no name is in two of them. */
function requestOf(
  name: string,
  { requestBody }: Operation,
  parameters: readonly Parameter[],
): Partial<Named> & { declaration: string; isOptional: boolean } {
  const given = parameters.filter((one) => one.in === 'path' || one.in === 'query');
  const body = requestBody?.content['application/json']?.schema;
  if (given.length === 0 && body === undefined) return { declaration: '', isOptional: true };
  const isPlain = body?.properties !== undefined && !body.allOf && !body.anyOf && !body.oneOf;
  const own: Schema = {
    type: 'object',
    properties: {
      ...Object.fromEntries(given.map((one) => [one.name, { ...one.schema, ...aboutOf(one) }])),
      ...(isPlain ? body.properties : {}),
    },
    required: [
      ...given.filter((one) => one.required).map((one) => one.name),
      ...(isPlain ? (body.required ?? []) : []),
    ],
  };
  for (const { name: parameter } of given) {
    if (isPlain && parameter in (body.properties ?? {})) throw new Error(`${name}: ${parameter} is in path and body`);
  }
  const isOptional = own.required?.length === 0 && (body === undefined || isPlain);
  if (body === undefined || isPlain) return { type: name, declaration: declare(name, own), isOptional };
  if (given.length === 0 && body.$ref) return { type: typeOf(body), declaration: '', isOptional };
  return { type: name, declaration: declare(name, given.length === 0 ? body : { allOf: [own, body] }), isOptional };
}

/** A boolean is a text in a query; the client writes it. */
function aboutOf({ description, schema }: Parameter): Schema {
  const isBoolean = schema.enum?.join() === 'true,false';
  return {
    ...(description === undefined ? {} : { description }),
    ...(isBoolean ? { type: 'boolean', enum: undefined } : {}),
  };
}

function responseOf(name: string, operation: string, { responses }: Operation): Named & { schema: Schema } {
  const content = responses['200']?.content ?? {};
  const schema = content['application/json']?.schema ?? {};
  if (streamed[operation] !== undefined || schema.$ref || !schema.properties) {
    return { type: typeOf(schema), declaration: '', schema };
  }
  return { type: name, declaration: declare(name, schema), schema };
}

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Schema {
  const?: string;
  enum?: string[];
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  $ref?: string;
}
interface Body {
  content?: Record<string, { schema: Schema }>;
}
interface Operation {
  parameters?: { in?: string; name?: string; $ref?: string }[];
  requestBody?: Body;
  responses: Record<string, Body>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, { in: string; name: string }>;
    headers: Record<string, { schema: Schema }>;
  };
}

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
const { components } = document;

const named = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** A schema and all that it consists of. */
function parts(schema: Schema): Schema[] {
  const { $ref, anyOf = [], allOf = [], oneOf = [] } = schema;
  const target = $ref === undefined ? undefined : components.schemas[named($ref)];
  return [schema, ...[...anyOf, ...allOf, ...oneOf, ...(target === undefined ? [] : [target])].flatMap(parts)];
}

/** Whether a schema has the field `a.b.c`. */
function hasField(schema: Schema | undefined, path: string): boolean {
  if (schema === undefined) return false;
  const [name = '', ...rest] = path.split('.');
  return parts(schema).some(({ properties = {} }) => {
    const inner = properties[name];
    return inner !== undefined && (rest.length === 0 || hasField(inner, rest.join('.')));
  });
}

const bodyOf = (body: Body | undefined): Schema | undefined => body?.content?.['application/json']?.schema;

function parametersOf(operation: Operation | undefined): { in?: string; name?: string }[] {
  return (operation?.parameters ?? []).map((one) =>
    one.$ref === undefined ? one : (components.parameters[named(one.$ref)] ?? {}),
  );
}

const send = document.paths['/message']?.['post'];
const outgoing = components.schemas['OutgoingMessage'];
const incoming = document.webhooks['message']?.post;
const errorCodes = components.headers['x-error-code']?.schema.enum ?? [];

/** Whether the document has `METHOD /path?query= { field, field }`. */
function isOperation(span: string): boolean {
  const [, method = '', path = '', query, fields] =
    /^([A-Z]+) (\/[^?\s]*)(?:\?(\w+)=)?(?: \{ (.+) \})?$/.exec(span) ?? [];
  // A WebSocket is a GET of the document.
  const operation = document.paths[path]?.[method === 'WS' ? 'get' : method.toLowerCase()];
  if (operation === undefined) return false;
  if (query !== undefined && !parametersOf(operation).some((one) => one.in === 'query' && one.name === query))
    return false;
  return (fields?.split(', ') ?? []).every((field) => hasField(bodyOf(operation.requestBody), field));
}

/** Per heading: whether a name of ours is in the document. */
const isKnown: Record<string, (span: string) => boolean> = {
  Calls: (span) => {
    const type = /^type: (\w+)$/.exec(span)?.[1];
    if (type !== undefined) return hasValue(outgoing, 'type', type);
    if (span === 'id' || span === 'session-id')
      return hasField(components.schemas['CreatedSession'], span === 'id' ? 'id' : 'sessionId');
    return isOperation(span) || hasField(components.schemas['Session'], span);
  },
  'A text, field by field': (span) =>
    hasField(outgoing, span) ||
    hasValue(outgoing, 'parseMode', span) ||
    parametersOf(send).some((one) => one.in === 'header' && one.name === span) ||
    hasField(bodyOf(send?.responses['200']), span) ||
    isOperation(span),
  'An incoming message, field by field': (span) =>
    span in document.webhooks ||
    Object.values(document.webhooks).some(({ post }) => hasField(bodyOf(post.requestBody), span)),
  'Getting events': (span) =>
    isOperation(span) ||
    hasField(bodyOf(document.paths['/session/webhook']?.['put']?.requestBody), span) ||
    parametersOf(incoming).some((one) => one.in === 'header' && one.name === span),
  Errors: (span) => errorCodes.includes(span) || span in components.headers || span === 'Retry-After',
};

/** Whether the field of a schema can be this value. */
function hasValue(schema: Schema | undefined, field: string, value: string): boolean {
  if (schema === undefined) return false;
  return parts(schema).some(({ properties }) => properties?.[field]?.enum?.includes(value) === true);
}

/** Our column of each table: its code, under the heading that it stands in. */
function ourNames(): { heading: string; span: string }[] {
  let heading = '';
  let column = -1;
  return readFileSync('docs/guides/moving.md', 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('## ')) heading = line.slice(3);
      if (!line.startsWith('|')) return [];
      const cells = line.split('|').map((cell) => cell.trim());
      if (cells.includes('here')) column = cells.indexOf('here');
      return [...(cells[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, span = '']) => ({ heading, span }));
    });
}

it('[DO1.5] every name of ours in the tables of moving.md is in the API document', () => {
  const names = ourNames();
  expect(names.length).toBeGreaterThan(80);
  const unknown = names.filter(({ heading, span }) => isKnown[heading]?.(span) !== true);
  expect(unknown).toEqual([]);
});

it('[DO1.5] what moving.md says of errors is what docs/errors.md says', () => {
  const page = readFileSync('docs/guides/moving.md', 'utf8');
  const errors = readFileSync('docs/errors.md', 'utf8');
  const said = [...page.matchAll(/(\d{3}) `([a-z_]+)`/g)].map(([, status = '', code = '']) => ({ status, code }));
  expect(said.length).toBeGreaterThan(3);
  const wrong = said.filter(
    ({ status, code }) => !new RegExp(String.raw`\| \`${code}\` \|[^|]*\b${status}\b`).test(errors),
  );
  expect(wrong).toEqual([]);
});

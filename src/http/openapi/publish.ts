import { withAlternatives } from './alternatives.ts';
import { shareParameters } from './shared-parameters.ts';

type Node = Record<string, unknown>;

/**
 * Converts the document of @fastify/swagger for others: the gateway's own keywords become JSON Schema, shared schemas
 * become references, and each operation has one name.
 * @param responses of each operation, by its name
 */
export function publish(document: object, responses: Readonly<Record<string, object>>): Node {
  const schemas: Node = {};
  const published = translate(document, schemas) as {
    paths: Record<string, Record<string, Node>>;
    components: Node;
  } & Node;
  for (const path of Object.values(published.paths)) {
    // HEAD is GET without a body.
    delete path['head'];
    for (const operation of Object.values(path)) {
      operation['responses'] = translate(responses[String(operation['operationId'])], schemas);
      settleBody(operation);
      // @fastify/swagger leaves an empty list out: without it, tools take the security for forgotten.
      operation['security'] ??= [];
    }
    if (path['put'] === undefined || path['post']?.['operationId'] !== path['put']['operationId']) continue;
    path['post'] = { ...path['post'], operationId: `${String(path['put']['operationId'])}ByPost` };
  }
  const all = Object.values(published.paths).flatMap((path) => Object.values(path));
  const { components } = published;
  return {
    ...published,
    components: {
      ...components,
      schemas: { ...(components['schemas'] as Node), ...schemas },
      parameters: shareParameters(all),
    },
  };
}

/** @fastify/swagger takes every body for required. */
function settleBody(operation: Node): void {
  const { 'x-body-optional': mayLackBody, requestBody } = operation;
  delete operation['x-body-optional'];
  if (mayLackBody === true) operation['requestBody'] = { ...(requestBody as Node), required: false };
}

const proxyUrlForms =
  '`socks5://user:password@host:port`, `http://user:password@host:port` (CONNECT), or the `tg://proxy` link of an MTProto proxy.';

/** @param schemas collects the schemas that get a name on the way */
function translate(value: unknown, schemas: Node): unknown {
  if (Array.isArray(value)) return value.map((one) => translate(one, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const shared: Node = {};
  const node = withAlternatives(value as Node, shared);
  if (node !== value) {
    for (const [name, schema] of Object.entries(shared)) schemas[name] ??= translate(schema, schemas);
    return translate(node, schemas);
  }
  if (typeof node['x-component'] === 'string') return { $ref: `#/components/schemas/${node['x-component']}` };
  const { neededFor, recipient: _recipient, bothOrNeither, exactlyOne, base64Bytes, ...others } = node;
  const {
    httpUrl,
    proxyUrl,
    is: _is,
    greatest: _greatest,
    wholeNumber,
    positive,
    zeroIsEmpty,
    blankIsEmpty,
    emptyCounts,
    nullCounts,
    maxBytes,
    ...rest
  } = others;
  const words = [
    rest['description'],
    Array.isArray(neededFor) && `Required for type ${neededFor.join(', ')}.`,
    typeof bothOrNeither === 'string' &&
      `${Object.keys(Object(node['properties'])).slice(0, 2).join(' and ')} both filled, or both empty ${bothOrNeither}.`,
    Array.isArray(exactlyOne) && `Exactly one of ${exactlyOne.join(', ')}.`,
    // No format: an empty text counts as missing, and no format allows it.
    httpUrl === true && 'An http or https URL.',
    proxyUrl === true && proxyUrlForms,
    typeof base64Bytes === 'number' && `Base64 of at most ${base64Bytes} bytes.`,
    zeroIsEmpty === true && 'Must not be 0.',
    blankIsEmpty === true && 'Must not be blank.',
    emptyCounts === true && 'May be empty.',
    typeof maxBytes === 'number' && `At most ${maxBytes} bytes.`,
  ].filter((part) => typeof part === 'string' && part !== '');
  const known = Object.keys(rest).length < Object.keys(node).length;
  const translated = Object.fromEntries(Object.entries(rest).map(([name, child]) => [name, translate(child, schemas)]));
  // The form of an enumeration that every client generator knows.
  const isOfTexts = Array.isArray(rest['enum']) && rest['enum'].every((one) => typeof one === 'string');
  if (isOfTexts && rest['type'] === undefined) Object.assign(translated, { type: 'string' });
  if (!known) return translated;
  const { pattern: _pattern, ...unbound } = translated;
  return {
    ...(typeof wholeNumber === 'object' ? { ...unbound, type: 'integer', ...wholeNumber } : translated),
    ...(words.length > 0 && { description: words.join(' ') }),
    ...(positive === true && { exclusiveMinimum: 0 }),
    ...(nullCounts === true && { type: ['object', 'null'] }),
  };
}

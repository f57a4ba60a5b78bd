/** A collection for Postman (format 2.1) and Bruno, which imports it, made of the API document. */

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
}

interface DescribedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: {
    content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
  };
}

/** An OpenAPI document, as far as the collection needs it. */
export interface DescribedApi {
  info: { title: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { parameters: Record<string, Parameter> };
}

/** What Postman calls an item: a folder, or a request. */
type Item = Record<string, unknown>;

/** Headers that name and prove who asks, and the collection's variable with each. Of the ways to prove it, the first is taken. */
const credentials: Readonly<Record<string, string>> = {
  id: '{{id}}',
  'session-id': '{{sessionId}}',
  'x-api-key': '{{apiKey}}',
  'link-token': '{{linkToken}}',
};
const variables = { baseUrl: 'http://127.0.0.1:3000', apiKey: '', id: '', sessionId: '', linkToken: '' };

/** After the creation of a session: the other requests use it. */
const keepSession = [
  'const { id, sessionId } = pm.response.json();',
  "if (id) pm.collectionVariables.set('id', id);",
  "if (sessionId) pm.collectionVariables.set('sessionId', sessionId);",
];
const creation = 'createSession';
/** `POST /session/webhook`, which is the `PUT` of the same name. */
const secondNames: ReadonlySet<string> = new Set(['setWebhookByPost']);

/** Folders are the document's tags; an operation with several examples is a request for each. */
export function postmanCollection(document: DescribedApi): object {
  const { info, tags, paths, components } = document;
  const items = new Map<string, Item[]>(tags.map(({ name }) => [name, []]));
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (secondNames.has(operation.operationId)) continue;
      const parameters = (operation.parameters ?? []).map(parameterIn(components));
      items.get(operation.tags[0] ?? '')?.push(...requests(method.toUpperCase(), path, { ...operation, parameters }));
    }
  }
  return {
    info: {
      name: info.title,
      description: `${info.description}\n\nSet the variables of the collection: \`baseUrl\`, and \`apiKey\` if the gateway has one. *Create a session* sets \`id\` and \`sessionId\`.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: tags.map(({ name, description }) => ({ name, description, item: items.get(name) })),
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
  };
}

const parameterIn =
  ({ parameters }: DescribedApi['components']) =>
  (one: Parameter): Parameter =>
    parameters[one.$ref?.split('/').at(-1) ?? ''] ?? one;

function requests(method: string, path: string, operation: DescribedOperation & { parameters: Parameter[] }): Item[] {
  const { operationId, summary, description, security, parameters, requestBody } = operation;
  const proof = Object.keys(security[0] ?? {}).map((key) => ({ key, value: credentials[key] ?? '' }));
  const own = parameters.filter((one) => one.in === 'header').map((one) => ({ ...pairOf(one), disabled: true }));
  return bodiesOf(requestBody).map(({ name, body }) => ({
    name: name === '' ? summary : `${summary}: ${name}`,
    ...(operationId === creation && {
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: keepSession } }],
    }),
    request: {
      method,
      description: description ?? '',
      header: [...proof, ...own],
      url: urlOf(path, parameters),
      ...(body !== undefined && { body }),
    },
  }));
}

const pairOf = ({ name, description = '' }: Parameter): object => ({ key: name, value: '', description });

function urlOf(path: string, parameters: readonly Parameter[]): object {
  const segments = path.split('/').slice(1);
  const query = parameters
    .filter((one) => one.in === 'query')
    .map((one) => ({ ...pairOf(one), ...(one.required !== true && { disabled: true }) }));
  // Under `/sessions` it is that of the session; elsewhere of a key, a link or a device. Without a value the path would be another one.
  const valueOf = (name: string): string => (name === 'id' && segments[0] === 'sessions' ? '{{id}}' : '1');
  const inPath = parameters
    .filter((one) => one.in === 'path')
    .map(({ name, description = '' }) => ({ key: name, value: valueOf(name), description }));
  const named = segments.map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'));
  return {
    raw: `{{baseUrl}}/${named.join('/')}`,
    host: ['{{baseUrl}}'],
    path: named,
    ...(query.length > 0 && { query }),
    ...(inPath.length > 0 && { variable: inPath }),
  };
}

function bodiesOf(requestBody: DescribedOperation['requestBody']): { name: string; body?: object }[] {
  if (requestBody === undefined) return [{ name: '' }];
  const json = requestBody.content['application/json'];
  if (json === undefined) return [{ name: '', body: { mode: 'file', file: {} } }];
  const examples = Object.entries(json.examples ?? { '': { value: json.example ?? {} } });
  return examples.map(([name, { value }]) => ({
    name: examples.length === 1 ? '' : name,
    body: { mode: 'raw', raw: JSON.stringify(value, null, 2), options: { raw: { language: 'json' } } },
  }));
}

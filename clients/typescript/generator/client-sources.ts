import { type ClientOperation, clientOperation, type Operation, type Parameter } from './operations.ts';
import { comment, declare, type Schema, typeName, typeOf } from './schema-types.ts';

/** An OpenAPI document, as far as the client reads it. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, { schema: Schema }>;
  };
}

/** The schemas of `docs/webhooks`, by the type of the event. */
export type EventSchemas = Record<string, Schema>;

/** Sources of the client that follow from the API document. */
export interface ClientSources {
  types: string;
  routes: string;
}

const notice = '// Made of docs/openapi.json and docs/webhooks: npm run openapi. Not to be edited.\n';

/**
 * Not in the client: what pages of the gateway use (`/link`, `/console`), media links, which are fetched as they are, the
 * text for Prometheus, and the second name of an operation.
 */
const isLeftOut = (path: string, { operationId }: Operation): boolean =>
  /^\/(?:link|console|media|metrics)\b/.test(path) || operationId === 'setWebhookByPost';

/** Writes the generated part of the client. */
export function clientSources(document: ApiDocument, events: EventSchemas): ClientSources {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !isLeftOut(path, operation))
      .map(([method, operation]) => clientOperation(method, path, operation, parametersOf(document, operation))),
  );
  const ofSession = operations.filter(({ isOfSession }) => isOfSession);
  const ofGateway = operations.filter(({ isOfSession }) => !isOfSession);
  return {
    types: [
      `${notice}import type { CallOptions, FileContent, KeyedCallOptions, SocketOptions } from '../calls/call-options.ts';\nimport type { Pages } from '../calls/pages.ts';\nimport type { SessionChange } from '../streams/session-change.ts';\n`,
      codes(document),
      ...Object.entries(document.components.schemas).map(([name, schema]) => declare(typeName(name), schema)),
      eventTypes(events),
      ...operations.map(({ types }) => types).filter((types) => types !== ''),
      methods('SessionOperations', 'What is asked of one session.', ofSession),
      methods('GatewayOperations', 'What is asked of the gateway, with its API key if it has one.', ofGateway),
    ].join('\n'),
    routes: `${notice}\n${table('sessionRoutes', ofSession)}\n${table('gatewayRoutes', ofGateway)}`,
  };
}

const parametersOf = ({ components }: ApiDocument, { parameters = [] }: Operation): Parameter[] =>
  parameters.map((one) => {
    const found = one.$ref === undefined ? one : components.parameters[one.$ref.replace(/^.*\//, '')];
    if (!found) throw new Error(`${one.$ref} is not in the document`);
    return found;
  });

function codes({ components }: ApiDocument): string {
  const type = typeOf(components.headers['x-error-code']?.schema ?? {});
  return `${comment(['The kind of an error, as the gateway names it: `docs/errors.md`.'])}export type ErrorCode = ${type};\n`;
}

function eventTypes(events: EventSchemas): string {
  const bodies = Object.entries(events).map(
    ([type, schema]) => `${comment([schema.description], '  ')}  '${type}': ${typeOf(schema, '  ')};\n`,
  );
  return `/** Each event, by its type. */\nexport interface Events {\n${bodies.join('')}}\n
/** The type of an event. */
export type EventType = keyof Events;
/** What is not recorded has no number: \`chat.typing\` and \`user.status\`. */
interface Numbers {
  seq?: number;
  previous?: number;
}
/** An event, of any type or of those that are named: \`GatewayEvent<'message'>\`. */
export type GatewayEvent<Type extends EventType = EventType> = Events[Type] & Numbers;\n`;
}

const methods = (name: string, about: string, operations: readonly ClientOperation[]): string =>
  `${comment([about])}export interface ${name} {\n${operations.map(({ method }) => method).join('\n')}}\n`;

const table = (name: string, operations: readonly ClientOperation[]): string =>
  `export const ${name} = {\n${operations.map((one) => `  ${one.name}: '${one.route}',\n`).join('')}} as const;\n`;

import swagger, { type SwaggerTransform } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { TSchema } from 'typebox';
import type { KeyScope } from '../../keys/scopes.ts';
import { forKeysWithChats } from '../access/chat-bound.ts';
import { type RouteScope, scopeOfGroup } from '../access/route-scopes.ts';
import type { App } from '../shared/app-types.ts';
import type { Access, Operation } from '../shared/openapi/operation.ts';
import { responseHeaders } from '../shared/openapi/response-headers.ts';
import { revalidated } from '../shared/revalidated.ts';
import { failuresOf } from '../shared/validation.ts';
import { describedWebhooks } from '../webhook/described-webhooks.ts';
import { components } from './components.ts';
import { operations } from './operations.ts';
import { pageTheme } from './page-theme.ts';
import { publish } from './publish.ts';
import { responsesOf, sharedResponses } from './responses.ts';
import { gatewayVersion } from './version.ts';

const description = `JSON over HTTP in front of logged-in Telegram accounts.

Create a session, show its QR, have it scanned, and send. Every error has the body \`{ statusCode, message }\`. Requests
that concern one session carry its two headers, \`id\` and \`session-id\`. Unknown fields are ignored; a field that is
null counts as missing.`;

const tags: { name: Operation['tag']; description: string }[] = [
  { name: 'Sessions', description: 'One session is one logged-in account.' },
  { name: 'Messages', description: 'Messages, typing indicators and stories.' },
  { name: 'Chats', description: 'All chats of the account, private ones too, and their messages.' },
  { name: 'Groups', description: 'Basic groups and supergroups that the account has joined.' },
  { name: 'Channels', description: 'Channels that the account has joined, and their messages.' },
  { name: 'People', description: 'Contacts, users, and the account itself.' },
  { name: 'Links', description: 'Links with which customers connect their own accounts.' },
  { name: 'Any method', description: 'What no endpoint wraps.' },
  { name: 'Media', description: 'Public signed links to files.' },
  { name: 'Webhook', description: 'Incoming events, posted to a URL.' },
  { name: 'Audit', description: 'The events of a session, with their reasons.' },
  { name: 'Operation', description: 'For the operator of the service.' },
];

const header = (name: string, text: string) => ({ type: 'apiKey', in: 'header', name, description: text }) as const;
const securitySchemes = {
  id: header('id', 'The id that creating the session returned.'),
  'session-id': header('session-id', 'The sessionId that creating the session returned.'),
  'x-api-key': header('x-api-key', 'Required if the service has an API key: that one, or one of POST /keys.'),
  'link-token': header('link-token', 'What stands after `#` in the URL of a customer’s link.'),
  bearer: { type: 'http', scheme: 'bearer', description: 'The key, instead of x-api-key.' } as const,
};
const security: Record<Access, Record<string, string[]>[]> = {
  session: [
    { id: [], 'session-id': [] },
    { id: [], 'x-api-key': [] },
    { id: [], bearer: [] },
  ],
  login: [
    { id: [], 'session-id': [], 'x-api-key': [] },
    { id: [], 'session-id': [], bearer: [] },
  ],
  operator: [{ 'x-api-key': [] }, { bearer: [] }],
  owner: [
    { id: [], 'x-api-key': [] },
    { id: [], bearer: [] },
  ],
  link: [{ 'link-token': [] }],
  anyone: [],
};

/** No resource from another host, and no redirect to HTTPS; Swagger UI styles its elements inline. */
const contentSecurityPolicy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Describes the routes that are added after it as an OpenAPI 3.1 document, and shows it at `/docs`. */
export async function describeApi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Telegram session gateway',
        version: gatewayVersion,
        description,
        contact: { name: 'The operator of this gateway' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'The gateway that shows this document.' }],
      tags,
      components: {
        securitySchemes,
        schemas: components as never,
        responses: sharedResponses() as never,
        headers: responseHeaders as never,
      },
      webhooks: describedWebhooks(),
    },
    transform: describeRoute,
    transformObject: (document) => publish((document as { openapiObject: object }).openapiObject, responses),
  });
  await app.register(async (pages: App) => {
    scopeOfGroup(pages, 'anyone');
    revalidated(pages);
    await pages.register(swaggerUi, {
      routePrefix: '/docs',
      uiConfig: { docExpansion: 'list', persistAuthorization: false, tryItOutEnabled: true, layout: 'BaseLayout' },
      theme: pageTheme,
      staticCSP: contentSecurityPolicy,
    });
  });
}

/** The route of media links is a wildcard: its operation describes the parameters. */
const mediaUrl = '/media/:platformId/:chatId/:messageId/:variant/:file';

/** By the name of the operation. */
const responses = Object.fromEntries(Object.values(operations).map((one) => [one.id, responsesOf(one)]));

const describeRoute: SwaggerTransform = ({ schema: given, url, route }) => {
  const schema = (given as typeof given | undefined) ?? {};
  const path = url === '/media/*' ? mediaUrl : url;
  const methods = [route.method].flat();
  const operation = methods.map((method) => operations[`${method} ${path}`]).find((found) => found !== undefined);
  // Routes without a description are not part of the API: the console, the documents themselves.
  if (operation === undefined) return { schema: { ...schema, hide: true }, url: path };
  const { id: operationId, tag, summary, access } = operation;
  const { scope } = route.config ?? {};
  return {
    url: path,
    schema: {
      ...schema,
      operationId,
      tags: [tag],
      summary,
      ...describedText(
        operation,
        scope,
        methods.some((method) => forKeysWithChats.has(`${method} ${path}`)),
      ),
      security: security[access],
      ...describedParameters(path, schema, operation.parameters ?? {}),
      ...(operation.requests !== undefined && { body: withExamples(schema.body, operation.requests) }),
      ...(mayLackBody(schema.body) && { 'x-body-optional': true }),
      ...(operation.uploads && { body: fileBody }),
    },
  };
};

/** The description, which scope a key needs, and whether one with `chats` may call it. */
function describedText(
  { description: words, summary, access }: Operation,
  scope: RouteScope | undefined,
  isForChats: boolean,
): { description: string } {
  const needed = scope === undefined || scope === 'anyone' ? undefined : scopeTexts[access](scope);
  const bound = isForChats && access === 'session' ? 'A key with `chats` has it for these chats alone.' : undefined;
  const texts = [words ?? `${summary}.`, needed, bound].filter((part) => part !== undefined);
  return { description: texts.join('\n\n') };
}

const scopeTexts: Record<Access, (scope: KeyScope) => string | undefined> = {
  session: (scope) => `Instead of \`session-id\`: a key with the scope \`${scope}\`.`,
  login: (scope) => `Besides \`session-id\`: a key with the scope \`${scope}\`, if the service has an API key.`,
  operator: (scope) => `Scope of the key: \`${scope}\`.`,
  owner: (scope) => `Scope of the key: \`${scope}\`.`,
  link: () => undefined,
  anyone: () => undefined,
};

type Properties = Record<string, object>;

/** Path parameters are described even if no schema has them; others only with a schema. */
function describedParameters(
  path: string,
  schema: { querystring?: unknown; headers?: unknown },
  texts: Readonly<Record<string, string>>,
): object {
  const inPath = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
  const params = Object.fromEntries(inPath.map((name) => [name, { type: 'string', description: texts[name] ?? '' }]));
  const headers = ['range', 'last-event-id', 'idempotency-key'].filter((name) => texts[name] !== undefined);
  return {
    ...(inPath.length > 0 && { params: { type: 'object', properties: params, required: inPath } }),
    ...(schema.querystring !== undefined && { querystring: withTexts(schema.querystring, texts) }),
    ...(headers.length > 0 && {
      headers: {
        type: 'object',
        properties: Object.fromEntries(headers.map((name) => [name, { type: 'string', description: texts[name] }])),
      },
    }),
  };
}

function withTexts(schema: unknown, texts: Readonly<Record<string, string>>): object {
  const { properties = {}, ...rest } = schema as { properties?: Properties };
  const described = Object.entries(properties).map(([name, property]) => [
    name,
    { ...property, ...(texts[name] !== undefined && { description: texts[name] }) },
  ]);
  return { ...rest, properties: Object.fromEntries(described) as Properties };
}

/** `x-examples`: the keyword of @fastify/swagger for several examples. */
const withExamples = (body: unknown, requests: Readonly<Record<string, unknown>>): object => ({
  content: {
    'application/json': {
      schema: {
        ...(body as object),
        'x-examples': Object.fromEntries(Object.entries(requests).map(([name, value]) => [name, { value }])),
      },
    },
  },
});

/** A request without a body counts as one with an empty object. */
const mayLackBody = (body: unknown): boolean =>
  body !== undefined && failuresOf(body as TSchema, {}, 'body').length === 0;

/** A form is taken too. It is not declared: generators of clients cannot choose between two kinds of body. */
const fileBody = { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } };

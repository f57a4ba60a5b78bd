import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type ApiDocument, clientSources } from '../../../../clients/typescript/generator/client-sources.ts';
import type { Schema } from '../../../../clients/typescript/generator/schema-types.ts';
import type { GatewayEvent } from '../../../../clients/typescript/src/generated/types.ts';

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const generated = (file: string): string =>
  fileURLToPath(new URL(`../../../../clients/typescript/src/generated/${file}`, import.meta.url));

const document = read('docs/openapi.json') as ApiDocument;
const events = Object.fromEntries(
  readdirSync('docs/webhooks')
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file.replace(/\.json$/, ''), read(`docs/webhooks/${file}`) as Schema]),
);

it('[TC1.1] the types of the TypeScript client are those of the API document: npm run openapi', async () => {
  const { types, routes } = clientSources(document, events);
  await expect(types).toMatchFileSnapshot(generated('types.ts'));
  await expect(routes).toMatchFileSnapshot(generated('routes.ts'));
});

it('[TC1.1] every operation of the API document has a method, but those of its own pages', () => {
  const { routes } = clientSources(document, events);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const missing = operations.map(({ operationId }) => operationId).filter((name) => !routes.includes(`  ${name}: `));
  expect(operations.length).toBeGreaterThan(100);
  expect(new Set(missing)).toEqual(
    new Set([
      'consoleConfig',
      'getLinkedSession',
      'getMedia',
      'metrics',
      'openLinkedSession',
      'requestLinkedLoginCode',
      'setWebhookByPost',
      'submitLinkedLoginCode',
      'submitLinkedPassword',
    ]),
  );
});

it('[TC1.1] an event of any type has a number, or none', () => {
  // The compiler is the test.
  const seqOf = (event: GatewayEvent): number | undefined => event.seq;
  const seqOfMessage = (event: GatewayEvent<'message'>): number => event.seq;
  expect([seqOf({ seq: 3 } as GatewayEvent), seqOfMessage({ seq: 4 } as GatewayEvent<'message'>)]).toEqual([3, 4]);
});

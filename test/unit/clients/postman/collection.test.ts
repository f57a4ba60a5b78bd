import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DescribedApi, postmanCollection } from '../../../../clients/postman/collection.ts';

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as DescribedApi;

interface PostmanRequest {
  name: string;
  request: {
    method: string;
    header: { key: string; value: string; disabled?: boolean }[];
    url: { raw: string; path: string[]; variable?: { key: string; value: string }[] };
    body?: { mode: string; raw: string };
  };
}
const made = postmanCollection(document) as { item: { name: string; item: PostmanRequest[] }[] };
const requests = made.item.flatMap(({ item }) => item);

it('[OA1.8] the collection in docs is made of the API document: npm run openapi', async () => {
  await expect(`${JSON.stringify(made, null, 2)}\n`).toMatchFileSnapshot(resolve('docs/postman-collection.json'));
});

describe('the collection for Postman and Bruno', () => {
  it('[OA1.8] has every operation of the document once, or once for each example of its body', () => {
    const named = new Set(requests.map(({ request: { method, url } }) => `${method} /${url.path.join('/')}`));
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { operationId }]) => operationId !== 'setWebhookByPost')
        .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(named).toEqual(new Set(described));
    expect(named.size).toBeGreaterThan(100);
  });

  it('[OA1.8] proves who asks by variables, and names the session of a path', () => {
    const named = (name: string) => requests.find((one) => one.name === name)?.request;
    expect(named('Send a message: text')?.header.filter(({ disabled }) => disabled !== true)).toEqual([
      { key: 'id', value: '{{id}}' },
      { key: 'session-id', value: '{{sessionId}}' },
    ]);
    const one = named('One session, without personal data');
    expect(one).toMatchObject({
      header: [{ key: 'x-api-key', value: '{{apiKey}}' }],
      url: { raw: '{{baseUrl}}/sessions/:id', variable: [{ key: 'id', value: '{{id}}' }] },
    });
    for (const { request } of requests) {
      if (request.body?.mode === 'raw') expect(() => JSON.parse(request.body?.raw ?? '') as unknown).not.toThrow();
    }
  });
});

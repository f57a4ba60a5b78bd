import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MessageBody, recipientFields } from '../../../../src/http/message/schemas.ts';
import { operations } from '../../../../src/http/openapi/operations.ts';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

type ApiDocument = Record<string, unknown> & { paths: Record<string, Record<string, Operation>> };

let gate: TestApp;
let apiDocument: ApiDocument;
beforeAll(async () => {
  gate = await startTestApp();
  await gate.app.ready();
  apiDocument = gate.app.swagger() as unknown as ApiDocument;
});
afterAll(() => gate.close());

interface Operation {
  operationId: string;
  responses: Record<string, Response>;
  requestBody?: { content: Record<string, Shown> };
}
interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, Shown>;
}
interface Shown {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
/** A schema of the document that stands alone: its references lead back into it. */
const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"api#')) as object;
const sharedResponse = (response: Response): Response => {
  const { responses } = apiDocument['components'] as { responses: Record<string, Response> };
  return responses[response.$ref?.replace('#/components/responses/', '') ?? ''] ?? response;
};
const all = (): [string, Operation][] =>
  Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

interface Parameter {
  $ref?: string;
  name: string;
  schema: object;
}
const sharedParameter = (parameter: Parameter): Parameter => {
  const { parameters } = apiDocument['components'] as { parameters: Record<string, Parameter> };
  return parameters[parameter.$ref?.replace('#/components/parameters/', '') ?? ''] ?? parameter;
};
interface DescribedRequest {
  parameters: Parameter[];
  requestBody: {
    required?: boolean;
    content: Record<string, { schema: { properties: Record<string, object> } }>;
  };
}
const takesFiles = new Set(['*/*', 'multipart/form-data']);

describe('the API document', () => {
  it('[OA1.1] [OA1.2] is docs/openapi.json: npm run openapi writes it anew', async () => {
    await expect(`${JSON.stringify(apiDocument, undefined, 2)}\n`).toMatchFileSnapshot('../../../../docs/openapi.json');
  });

  it('[OA1.1] has every operation that is described, and each under a name of its own', () => {
    const described = Object.keys(operations).map((name) => name.replaceAll(/:(\w+)/g, '{$1}'));
    const written = all().map(([name]) => name);
    expect(described.filter((name) => !written.includes(name))).toEqual([]);
    expect(written.filter((name) => !described.includes(name))).toEqual(['POST /session/webhook']);
    const ids = all().map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('[OA1.1] has the version of the package, and none of the keywords that only we know', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(apiDocument).toMatchObject({ openapi: '3.1.0', info: { version } });
    expect(JSON.stringify(apiDocument)).not.toMatch(
      /x-component|neededFor|bothOrNeither|exactlyOne|base64Bytes|zeroIsEmpty|"recipient":|"named":|blankIsEmpty|maxBytes|"is":/,
    );
  });

  it('[OA1.1] lets generated clients send what the gateway takes', () => {
    const operation = Object.fromEntries(all()) as unknown as Record<string, DescribedRequest>;
    const query = (name: string, parameter: string): object | undefined =>
      operation[name]?.parameters.map(sharedParameter).find((one) => one.name === parameter)?.schema;
    expect(query('GET /sessions', 'limit')).toEqual({ type: 'integer', minimum: 1, maximum: 1000 });
    expect(query('GET /session/events', 'after')).toEqual({ type: 'integer', minimum: 0, maximum: 999_999_999 });
    // Empty turns the webhook off.
    const { schema } = operation['PUT /session/webhook']?.requestBody.content['application/json'] ?? {};
    expect(schema?.properties['url']).not.toHaveProperty('format');
    expect(operation['POST /session/reset']?.requestBody.required).toBe(false);
    expect(operation['POST /message']?.requestBody.required).toBe(true);
    expect(apiDocument['servers']).toMatchObject([{ url: '/' }]);
  });

  it('[OA1.3] has each error that many endpoints have once', () => {
    const times = new Map<string, number>();
    const shared = new Set<string>();
    for (const [, { responses }] of all()) {
      for (const [status, { $ref, description = '' }] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        if ($ref === undefined) times.set(description, (times.get(description) ?? 0) + 1);
        else shared.add($ref);
      }
    }
    expect([...times].filter(([, count]) => count > 20)).toEqual([]);
    const { responses } = apiDocument['components'] as { responses: object };
    expect([...shared].toSorted()).toEqual(
      Object.keys(responses)
        .map((name) => `#/components/responses/${name}`)
        .toSorted(),
    );
  });

  it('[OA1.6] has an object for each type of message, with what the type requires and one recipient', () => {
    const { schemas } = apiDocument['components'] as {
      schemas: Record<string, { required?: string[]; anyOf?: unknown[] }>;
    };
    const { oneOf, discriminator } = schemas['OutgoingMessage'] as unknown as {
      oneOf: { $ref: string }[];
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    const types = MessageBody.properties.type.enum;
    expect(discriminator.propertyName).toBe('type');
    expect(discriminator.mapping).toEqual(Object.fromEntries(types.map((type, place) => [type, oneOf[place]?.$ref])));
    expect(oneOf).toHaveLength(types.length);
    for (const type of types) {
      const name = `${type.charAt(0).toUpperCase()}${type.slice(1)}OutgoingMessage`;
      expect(schemas[name]?.required).toEqual(['type', type]);
    }
    expect(schemas['Recipient']?.anyOf).toHaveLength(Object.keys(recipientFields).length);
  });

  it('[OA1.1] has examples of every body and answer, and each is as its schema has it', () => {
    const ajv = new Ajv2020({ strict: false, formats: { uri: true } });
    ajv.addSchema({ ...apiDocument, $id: 'api' });
    // Many answers have one schema, and to compile it takes longer than all else.
    const validators = new Map<string, ValidateFunction>();
    const faultOf = (schema: object, example: unknown): string | undefined => {
      const key = JSON.stringify(schema);
      const validate = validators.get(key) ?? ajv.compile(absolute(schema));
      validators.set(key, validate);
      return validate(example) ? undefined : ajv.errorsText(validate.errors);
    };
    const faults: string[] = [];
    let seen = 0;
    for (const [name, { requestBody, responses }] of all()) {
      const answers = Object.entries(responses).map(
        ([status, response]) => [status, sharedResponse(response).content] as const,
      );
      for (const [place, content] of [['body', requestBody?.content] as const, ...answers]) {
        for (const [mediaType, { schema, example, examples = {} }] of Object.entries(content ?? {})) {
          const shown = [
            ...(example === undefined ? [] : [example]),
            ...Object.values(examples).map((one) => one.value),
          ];
          // A file is no text.
          if (shown.length === 0 && !takesFiles.has(mediaType)) faults.push(`${name} ${place}: no example`);
          seen += shown.length;
          for (const one of shown) {
            const fault = faultOf(schema, one);
            if (fault !== undefined) faults.push(`${name} ${place} ${JSON.stringify(one)}: ${fault}`);
          }
        }
      }
    }
    expect(faults).toEqual([]);
    expect(seen).toBeGreaterThan(300);
  });

  it('[OA1.1] is what the client in docs/client.md is written for', () => {
    const text = readFileSync('docs/client.md', 'utf8');
    const calls = [...text.matchAll(/\.(GET|PUT|POST|DELETE)\('([^']+)'/g)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    expect(calls.length).toBeGreaterThan(2);
    expect(calls.filter((call) => !all().some(([name]) => name === call))).toEqual([]);
    for (const [, name = ''] of text.matchAll(/'([\w-]+)': 'order/g)) {
      const { parameters = [] } = (apiDocument.paths['/message']?.['post'] ?? {}) as Partial<DescribedRequest>;
      expect(parameters.map((one) => sharedParameter(one).name)).toContain(name);
    }
  });

  it('[OA1.1] is shown to people, without anything from elsewhere', async () => {
    const page = await gate.app.inject('/docs/');
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('swagger-ui');
    expect(page.body).not.toMatch(/(?:src|href)="https?:/);
    expect((await gate.app.inject('/docs/json')).json()).toEqual(JSON.parse(JSON.stringify(apiDocument)));
  });
});

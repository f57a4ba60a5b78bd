import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

/** An object as `kubectl kustomize` writes it. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec?: unknown;
  data?: Record<string, string>;
}

const schemas = JSON.parse(readFileSync('test/fixtures/kubernetes/schemas.json', 'utf8')) as {
  kinds: Record<string, string>;
};
const ajv = new Ajv({ strict: false, allErrors: true }).addSchema(schemas, 'kubernetes');

/** What Kubernetes, or the operator of Prometheus, would find wrong with an object; unknown fields included. */
export function faultsOfObject(object: KubernetesObject): string[] {
  const kind = `${object.apiVersion} ${object.kind}`;
  const reference = schemas.kinds[kind];
  if (reference === undefined) return [`no schema of ${kind}`];
  if (ajv.validate({ $ref: `kubernetes${reference}` }, object)) return [];
  return (ajv.errors ?? []).map(
    ({ instancePath, message, params }) => `${kind} ${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

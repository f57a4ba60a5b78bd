interface Parameter {
  name: string;
}
interface Described {
  parameters?: (Parameter | { $ref: string })[];
}

/** From this many endpoints on, a parameter is under `components/parameters`. */
const minEndpoints = 3;

const componentName = (name: string): string =>
  name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Replaces the parameters that several endpoints have by references. Of different ones with the same name, the one that
 * most endpoints have is shared.
 * @returns `components/parameters`
 */
export function shareParameters(operations: readonly Described[]): Record<string, object> {
  const uses = new Map<string, number>();
  const keys = operations.flatMap(({ parameters = [] }) => parameters.map((one) => JSON.stringify(one)));
  for (const key of keys) uses.set(key, (uses.get(key) ?? 0) + 1);
  const shared: Record<string, object> = {};
  const references = new Map<string, { $ref: string }>();
  for (const [key, count] of [...uses].toSorted(([, one], [, other]) => other - one)) {
    const parameter = JSON.parse(key) as Parameter;
    const name = componentName(parameter.name);
    if (count < minEndpoints || name in shared) continue;
    shared[name] = parameter;
    references.set(key, { $ref: `#/components/parameters/${name}` });
  }
  for (const operation of operations) {
    const { parameters } = operation;
    if (parameters !== undefined) {
      operation.parameters = parameters.map((one) => references.get(JSON.stringify(one)) ?? one);
    }
  }
  return shared;
}

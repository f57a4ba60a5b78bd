type Node = Record<string, unknown>;
type Properties = Record<string, Node>;

const refTo = (name: string): Node => ({ $ref: `#/components/schemas/${name}` });
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const propertiesOf = (schema: Node): Properties => (schema['properties'] ?? {}) as Properties;
const namedBy = (name: string, value: string): string => `${capitalized(value)}${name}`;

/**
 * A body that validation sees as one object with many fields, as JSON Schema that a typed client can hold its caller to:
 * one object for each `type`, with what that type requires, and one recipient at least.
 * @param shared the schemas under `components/schemas`; what has a name goes there
 * @returns the schema itself if it has no alternatives
 */
export function withAlternatives(schema: Node, shared: Node): Node {
  const properties = propertiesOf(schema);
  const recipients = Object.keys(properties).filter((name) => properties[name]?.['recipient'] === true);
  const { named } = schema;
  if (recipients.length === 0 && typeof named !== 'string') return schema;
  const rest = without(schema, recipients);
  const recipient = recipients.length === 0 ? undefined : recipientOf(recipients, properties, shared);
  if (typeof named === 'string') return byType(rest, named, recipient, shared);
  if (recipient === undefined || Object.keys(propertiesOf(rest)).length === 0) return recipient ?? rest;
  return { allOf: [recipient, rest] };
}

const without = (schema: Node, names: readonly string[]): Node => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(propertiesOf(schema)).filter(([name]) => !names.includes(name))),
});

/** One at least; validation takes the first one of several. */
function recipientOf(names: readonly string[], properties: Properties, shared: Node): Node {
  const anyOf = names.map((name) => {
    const { recipient: _recipient, ...property } = properties[name] ?? {};
    return { type: 'object', required: [name], properties: { [name]: property } };
  });
  const name = names.includes('channel') ? 'Recipient' : 'RecipientButChannel';
  shared[name] = { anyOf };
  return refTo(name);
}

/** An object for each value of `type`: fields that other types need are not in it if they are objects. */
function byType({ named: _named, ...schema }: Node, name: string, recipient: Node | undefined, shared: Node): Node {
  const { type, ...properties } = propertiesOf(schema);
  const mapping: Record<string, string> = {};
  const oneOf = ((type?.['enum'] ?? []) as string[]).map((value) => {
    const own = Object.entries(properties).filter(([, property]) => isOf(property, value));
    const needed = own.filter(([, property]) => neededFor(property)?.includes(value)).map(([field]) => field);
    const variant = namedBy(name, value);
    shared[variant] = {
      ...schema,
      required: [...new Set([...((schema['required'] ?? []) as string[]), ...needed])],
      properties: { type: { type: 'string', enum: [value] }, ...Object.fromEntries(own.map(unconditional)) },
      // Inside: with a discriminator, Redocly looks at the object of the type alone.
      ...(recipient !== undefined && { allOf: [recipient] }),
    };
    const { $ref } = refTo(variant);
    mapping[value] = String($ref);
    return { $ref };
  });
  shared[name] = { oneOf, discriminator: { propertyName: 'type', mapping } };
  return refTo(name);
}

const neededFor = (property: Node): readonly unknown[] | undefined =>
  property['neededFor'] as readonly unknown[] | undefined;

const isOf = (property: Node, type: string): boolean =>
  property['type'] !== 'object' || (neededFor(property)?.includes(type) ?? true);

const unconditional = ([name, { neededFor: _neededFor, ...property }]: [string, Node]): [string, Node] => [
  name,
  property,
];

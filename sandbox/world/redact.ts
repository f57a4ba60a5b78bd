/** Parameters whose values are secret, in all methods. */
const secretFields = new Set(['password', 'api_hash', 'new_password', 'email', 'phone_code', 'code', 'bot_auth_token']);

/** A TL value as JSON without secrets: bytes and secret texts become their length. */
export function redactedJson(value: unknown, field = ''): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Buffer.isBuffer(value)) return { bytes: value.length };
  if (secretFields.has(field)) return typeof value === 'string' ? { characters: value.length } : { hidden: true };
  if (Array.isArray(value)) return value.map((item) => redactedJson(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactedJson(inner, name)]));
}

/** A row as JSON, with `{"$n":"…"}` for a bigint and `{"$b":"…"}` (base64) for bytes. */
export function encodeRow(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) => {
    if (typeof field === 'bigint') return { $n: field.toString() };
    const bytes = field as { type?: string; data?: number[] } | null;
    return bytes?.type === 'Buffer' && Array.isArray(bytes.data)
      ? { $b: Buffer.from(bytes.data).toString('base64') }
      : field;
  });
}

/** Reads what {@link encodeRow} has written. */
export function decodeRow(text: string): unknown {
  return JSON.parse(text, (_key, field: unknown) => {
    const tagged = field as { $n?: string; $b?: string } | null;
    if (typeof tagged?.$n === 'string') return BigInt(tagged.$n);
    return typeof tagged?.$b === 'string' ? Buffer.from(tagged.$b, 'base64') : field;
  });
}

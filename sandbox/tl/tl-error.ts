/** Bytes that no schema knows, or an object that the schema cannot write. */
export class TlError extends Error {
  override name = 'TlError';
}

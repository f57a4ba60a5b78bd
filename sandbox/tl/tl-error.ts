/** The schema cannot read these bytes, or cannot write this object. */
export class TlError extends Error {
  override name = 'TlError';
}

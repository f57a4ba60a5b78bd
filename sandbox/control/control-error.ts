/** Becomes the error response `{statusCode, message}`. */
export class ControlError extends Error {
  override name = 'ControlError';
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

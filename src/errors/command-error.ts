/** An error that the person who runs a command can correct. Written without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** What a bench asks of a program that it has started, over the IPC channel of `fork`. */
export interface Command {
  /** Its reply carries the same number. */
  number: number;
  name: string;
  input: unknown;
}

/** What has become of a command: exactly one of `result` and `error` is set, unless the result is undefined. */
export interface Reply {
  number: number;
  result?: unknown;
  error?: string;
}

/** Each takes the input of its command and returns its result; both are JSON. */
type Handlers = Record<string, (input: never) => unknown>;

/**
 * Has this program run the commands that have a handler. It ignores the others, so that several modules of one program
 * can each handle their own.
 */
export function handleCommands(handlers: Handlers): void {
  process.on('message', (message) => {
    const command = message as Command;
    const handler = handlers[command.name];
    if (handler !== undefined) void run(handler, command);
  });
}

async function run(handler: Handlers[string], { number, input }: Command): Promise<void> {
  const reply: Reply = { number };
  try {
    reply.result = await handler(input as never);
  } catch (error) {
    reply.error = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  process.send?.(reply);
}

/** Tells the bench that this program can be used. @param url what it serves, if it is a server */
export function ready(url = ''): void {
  process.send?.({ url });
}

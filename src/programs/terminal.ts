import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks whoever started the program. */
export interface Terminal {
  ask(question: string): Promise<string>;
  /** What is typed is not shown. */
  askSecret(question: string): Promise<string>;
  /** Called when they end the program by Ctrl-C, or the input ends. */
  onEnd(listener: () => void): void;
}

export function openTerminal(): Terminal {
  let isSecret = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, written) {
      if (isSecret) written();
      else process.stdout.write(chunk, () => written());
    },
  });
  // Only then is it readline that shows what is typed, and not the terminal by itself.
  const terminal: Interface = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  return {
    ask: (question) => terminal.question(question),
    async askSecret(question) {
      process.stdout.write(question);
      isSecret = true;
      try {
        return await terminal.question('');
      } finally {
        isSecret = false;
        process.stdout.write('\n');
      }
    },
    onEnd: (listener) => void terminal.on('SIGINT', listener).on('close', listener),
  };
}

/** Writes the result of a command: a text for people, or with `--json` one line for programs. */
export function printResult(isJson: boolean, result: object, text: string): void {
  process.stdout.write(`${isJson ? JSON.stringify(result) : text}\n`);
}

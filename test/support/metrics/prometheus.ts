import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A running Prometheus. */
export interface Prometheus {
  /** What an expression gives now: the value of each series that it has. @throws the expression is wrong */
  query(expression: string): Promise<number[]>;
  close(): Promise<void>;
}

/** Starts a real Prometheus on a free port. @param program its file. @throws it does not start */
export async function startPrometheus(program: string, configFile: string, folder: string): Promise<Prometheus> {
  const child = spawn(program, [
    `--config.file=${configFile}`,
    `--storage.tsdb.path=${folder}`,
    '--web.listen-address=127.0.0.1:0',
  ]);
  const said: string[] = [];
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      said.push(line);
      const address = /msg="Listening on" address=(\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(`http://${address}`);
    });
    ended.then(() => reject(new Error(said.join('\n'))), reject);
  });
  return {
    async query(expression) {
      const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
      const { data, error } = (await response.json()) as {
        data?: { result: { value: [number, string] }[] };
        error?: string;
      };
      if (data === undefined) throw new Error(`${expression}: ${error}`);
      return data.result.map(({ value }) => Number(value[1]));
    },
    async close() {
      child.kill();
      await ended;
    },
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtFolder } from './built-folder.ts';

/** A start of the program that has been prepared: its modules are loaded, nothing of it has run yet. */
export interface PreparedStart {
  child: ChildProcess;
  /** Runs `main`; resolves with the address once it says where it answers. @throws with what it said where it ends. */
  run(): Promise<string>;
  /** Exit code, or null where a signal ended it. */
  ended: Promise<number | null>;
  output(): string;
}

/** The gateway compiled as `npm run build` does, to be started often: the compiled program starts three times as fast. */
export interface BuiltProgram {
  prepare(environment: Record<string, string>): PreparedStart;
}

export async function buildProgram(): Promise<BuiltProgram> {
  return programIn(await builtFolder());
}

/** @param folder of a build, of another version perhaps */
export const programIn = (folder: string): BuiltProgram => ({
  prepare: (environment) => prepare(`${folder}/src/`, environment),
});

/** The real program: all that is added is that it waits for a word between loading its modules and running. */
function prepare(folder: string, environment: Record<string, string>): PreparedStart {
  const waiting = `
    await import(${JSON.stringify(`file://${folder}compose/gateway.js`)});
    ${environment['EVENT_STORE_URL'] === undefined ? '' : `await import(${JSON.stringify(`file://${folder}store/events/kurrent/kurrent-store.js`)});`}
    process.once('message', () => {
      process.disconnect();
      process.argv = [process.execPath, 'telegram-gateway', 'start'];
      import(${JSON.stringify(`file://${folder}programs/cli.js`)});
    });
    process.send('loaded');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', waiting], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let text = '';
  const loaded = once(child, 'message');
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const url = new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      text += chunk.toString();
      const found = /^Gateway: +(\S+)/m.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    void ended.then(() => reject(new Error(`the program ended:\n${text}`)));
  });
  url.catch(() => {});
  return {
    child,
    run: async () => {
      await Promise.race([loaded, url]);
      child.send('run');
      return url;
    },
    ended,
    output: () => text,
  };
}

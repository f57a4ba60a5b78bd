import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach } from 'vitest';
import { startTestApp, type TestApp } from '../gateway/http-app.ts';

/** An app that listens, for each test of a file. */
export interface ListeningApp {
  readonly gate: TestApp;
  readonly url: string;
  /** Another one in its place. */
  restart(options: Parameters<typeof startTestApp>[0]): Promise<void>;
}

export function useListeningApp(): ListeningApp {
  let gate: TestApp;
  let url: string;
  const start = async (options: Parameters<typeof startTestApp>[0] = {}): Promise<void> => {
    gate = await startTestApp(options);
    await gate.app.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(gate.app.server.address() as AddressInfo).port}`;
  };
  beforeEach(() => start());
  afterEach(() => gate.close());
  return {
    get gate() {
      return gate;
    },
    get url() {
      return url;
    },
    restart: async (options) => {
      await gate.close();
      await start(options);
    },
  };
}

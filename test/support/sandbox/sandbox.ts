import { startSandbox } from '../../../sandbox/sandbox.ts';

/** The control API of a sandbox (see `docs/`), as tests need it. */
export interface TestSandbox {
  url: string;
  /** A call of the control API. @throws where it does not answer 2xx */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  /** The account's phone scans the QR link and accepts. */
  scan(link: string, userId: string): Promise<void>;
  close(): Promise<void>;
}

/** A sandbox in this process, in memory, on free ports. */
export async function startTestSandbox(): Promise<TestSandbox> {
  const sandbox = await startSandbox({ controlPort: 0, dcPort: 0 });
  return { ...controlOf(sandbox.url), close: () => sandbox.close() };
}

/** The client part alone, for a sandbox that runs elsewhere. */
export function controlOf(url: string): Omit<TestSandbox, 'close'> {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return {
    url,
    call,
    scan: async (link, userId) => {
      await call('POST', '/qr/scan', { link, userId });
    },
  };
}

import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox/sandbox.ts';

/** A sandbox with the part of its control API (see `docs/sandbox.md`) that tests need. */
export interface TestSandbox {
  url: string;
  /** Calls the control API. @throws if the status is not 2xx */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  /** Scans the QR link with the account's phone and accepts the login. */
  scan(link: string, userId: string): Promise<void>;
  close(): Promise<void>;
}

/** Making an RSA key takes longer than the rest of a sandbox's start: all sandboxes of a process use the first one's. */
let rsaKey: string | undefined;

/**
 * Starts a sandbox in this process, by default in memory, on free ports, and without the rate limits: a test that is
 * about them turns them on.
 */
export async function startLocalSandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ controlPort: 0, dcPort: 0, rsaKey, rateLimits: false, ...options });
  rsaKey ??= sandbox.protocol.rsaKeyPem;
  return sandbox;
}

/** Starts a sandbox in this process, in memory, on free ports. */
export async function startTestSandbox(): Promise<TestSandbox> {
  const sandbox = await startLocalSandbox();
  return { ...controlOf(sandbox.url), close: () => sandbox.close() };
}

/** The client part, for a sandbox that runs in another process. */
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

import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../../sandbox/sandbox.ts';
import { startLocalSandbox } from './sandbox.ts';

/** Calls the control API, and returns the status and the JSON body. */
export async function control(
  { url }: Pick<Sandbox, 'url'>,
  method: string,
  path: string,
  body?: unknown,
  // oxlint-disable-next-line typescript/no-explicit-any -- the test knows the shape of the response
): Promise<{ status: number; body: any }> {
  const response = await fetch(url + path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** An error response of the control API. */
export const refused = (statusCode: number, message: string) => ({ status: statusCode, body: { statusCode, message } });

/** Starts a sandbox on free ports. `defects` collects the defects that it reports: tests check that there are none. */
export async function openSandbox(options: Partial<SandboxOptions> = {}): Promise<{
  sandbox: Sandbox;
  defects: string[];
}> {
  const defects: string[] = [];
  const sandbox = await startLocalSandbox({
    onDefect: (context, error) => defects.push(`${context}: ${error instanceof Error ? error.stack : String(error)}`),
    ...options,
  });
  return { sandbox, defects };
}

/** One sandbox for all tests of a file, reset to the seeded world before each, and its control API. */
export function useSandbox(options: Partial<SandboxOptions> = {}) {
  let sandbox: Sandbox;
  beforeAll(async () => {
    ({ sandbox } = await openSandbox(options));
  });
  beforeEach(async () => {
    await control(sandbox, 'POST', '/reset');
  });
  afterAll(() => sandbox.close());
  return {
    get sandbox() {
      return sandbox;
    },
    get: (path: string) => control(sandbox, 'GET', path),
    post: (path: string, body?: unknown) => control(sandbox, 'POST', path, body),
    put: (path: string, body: unknown) => control(sandbox, 'PUT', path, body),
    patch: (path: string, body: unknown) => control(sandbox, 'PATCH', path, body),
    remove: (path: string) => control(sandbox, 'DELETE', path),
  };
}

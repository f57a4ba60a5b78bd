import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';

/** JSON over the control API: the status and the body. */
export async function control(
  { url }: Pick<Sandbox, 'url'>,
  method: string,
  path: string,
  body?: unknown,
  // oxlint-disable-next-line typescript/no-explicit-any -- the test knows what it asked for
): Promise<{ status: number; body: any }> {
  const answer = await fetch(url + path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

/** How the control API refuses. */
export const refused = (statusCode: number, message: string) => ({ status: statusCode, body: { statusCode, message } });

/** A sandbox on free ports; a defect of its own fails the test that asks for `defects`. */
export async function openSandbox(options: Partial<Parameters<typeof startSandbox>[0]> = {}): Promise<{
  sandbox: Sandbox;
  defects: string[];
}> {
  const defects: string[] = [];
  const sandbox = await startSandbox({
    controlPort: 0,
    dcPort: 0,
    onDefect: (context, error) => defects.push(`${context}: ${error instanceof Error ? error.stack : String(error)}`),
    ...options,
  });
  return { sandbox, defects };
}

/** A sandbox for the tests of a file, each of which begins with the seeded world; and its control API. */
export function useSandbox(options: Parameters<typeof openSandbox>[0] = {}) {
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

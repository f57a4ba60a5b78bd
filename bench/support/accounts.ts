import type { ChildProgram } from './child-program.ts';

/** Makes so many accounts in the sandbox, without passwords. @returns their user IDs */
export async function addAccounts(sandbox: ChildProgram, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const response = await fetch(`${sandbox.url}/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ firstName: `Eve ${made + 1}`, dc: 2 }),
    });
    if (!response.ok) throw new Error(await response.text());
    ids.push(((await response.json()) as { userId: string }).userId);
  }
  return ids;
}

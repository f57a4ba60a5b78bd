import type { ChildProgram } from './child-program.ts';
import { jsonCall } from './json-call.ts';

/** Accounts that the sandbox is seeded with. Ann and Cara have no password, Ann has a picture. */
export const ann = '1001';
export const bob = '1002';
export const cara = '1003';

/** Adds accounts without passwords to the sandbox. @returns their user IDs */
export async function addAccounts(sandbox: ChildProgram, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let added = 0; added < count; added++) {
    const body = { firstName: `Eve ${added + 1}`, dc: 2 };
    const { userId } = await jsonCall<{ userId: string }>('POST', `${sandbox.url}/accounts`, { body });
    ids.push(userId);
  }
  return ids;
}

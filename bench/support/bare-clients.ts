import { addAccounts } from './accounts.ts';
import { type ChildProgram, startProgram } from './child-program.ts';
import { jsonCall } from './json-call.ts';
import { repeat } from './repeat.ts';

/** The libraries that the gateway is measured against: a program of clients of each, with nothing around them. */
export type Library = 'gramjs' | 'mtcute';

/** As many as the gateway is given at a time. */
const loginsInFlight = 10;

/** Starts a program without clients, works with it, and ends it. @param flags for Node */
export async function withBareClients<T>(
  library: Library,
  sandbox: ChildProgram,
  work: (program: ChildProgram) => Promise<T>,
  flags: readonly string[] = [],
): Promise<T> {
  const program = await startProgram(`bench/programs/${library}-clients`, { SANDBOX_URL: sandbox.url }, flags);
  try {
    return await work(program);
  } finally {
    await program.end();
  }
}

/** Logs in one new client for each user ID. */
export async function logInBare(
  program: ChildProgram,
  sandbox: ChildProgram,
  userIds: readonly string[],
): Promise<void> {
  await repeat(userIds.length, loginsInFlight, async (index) => {
    const link = await program.command<string>('startLogin');
    // Scanned from here: the bare client has no HTTP.
    await jsonCall('POST', `${sandbox.url}/qr/scan`, { body: { link, userId: userIds[index] } });
    await program.command('finishLogin', link);
  });
}

/** Logs in `count` clients of one account. */
export async function logInBareMany(
  program: ChildProgram,
  sandbox: ChildProgram,
  userId: string,
  count: number,
): Promise<void> {
  await logInBare(
    program,
    sandbox,
    Array.from({ length: count }, () => userId),
  );
}

/**
 * Logs in clients, each to a new account of its own: an account that the gateway or another library is logged in to would
 * get the texts of the other side as updates.
 */
export async function logInBareCrowd(program: ChildProgram, sandbox: ChildProgram, count: number): Promise<void> {
  await logInBare(program, sandbox, await addAccounts(sandbox, count));
}

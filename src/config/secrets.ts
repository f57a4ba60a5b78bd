import { readFileSync } from 'node:fs';

/** Settings that are secrets, or may hold one: the URL of a store may have a password. */
const secretNames = [
  'EVENT_STORE_URL',
  'API_KEY',
  'CLUSTER_KEY',
  'METRICS_TOKEN',
  'MASTER_KEY',
  'MEDIA_LINK_KEYS',
  'TELEGRAM_API_HASH',
] as const;
/** Of the commands that are clients of a gateway. */
const clientSecretNames = ['GATEWAY_KEY', 'MCP_TOKEN'] as const;
type SecretName = (typeof secretNames)[number] | (typeof clientSecretNames)[number];

/**
 * A copy of the environment, which itself has no secrets any more: programs that are started, and packages, do not find
 * them there. The system goes on showing what the process was started with (`/proc/PID/environ`) to its own user.
 */
export function takeSecrets(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const taken = { ...environment };
  for (const name of [...secretNames, ...clientSecretNames]) delete environment[name];
  return taken;
}

/**
 * The variables, with the content of `NAME_FILE` as `NAME` for secrets that are given so (OP1.4).
 * @param faults gets what is wrong with them, by name; nothing of a path or a content
 * @param names of the secrets that are needed
 */
export function withSecretFiles(
  variables: NodeJS.ProcessEnv,
  faults: string[],
  names: readonly SecretName[] = secretNames,
): NodeJS.ProcessEnv {
  const read = { ...variables };
  for (const name of names) {
    const file = variables[`${name}_FILE`]?.trim() ?? '';
    if (file === '') continue;
    const isGiven = (variables[name]?.trim() ?? '') !== '';
    const text = isGiven ? '' : textOf(file);
    if (isGiven) faults.push(`${name} and ${name}_FILE must not both be set`);
    else if (text === undefined) faults.push(`${name}_FILE must name a file that can be read`);
    else if (text === '') faults.push(`${name}_FILE must name a file that is not empty`);
    else read[name] = text;
  }
  return read;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

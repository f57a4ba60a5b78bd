interface Environment {
  API_KEY?: string | undefined;
  METRICS_TOKEN?: string | undefined;
  ALLOW_OPEN: boolean;
}

/** Shorter keys can be guessed over a network (AU6). */
const minKeyLength = 16;

/** AU4, AU6: who reaches the gateway over a network has to know a key. */
export function faultsOfOpenHost(environment: Environment): string[] {
  const isShort = (name: 'API_KEY' | 'METRICS_TOKEN'): boolean =>
    (environment[name]?.length ?? Infinity) < minKeyLength;
  const faults = (['API_KEY', 'METRICS_TOKEN'] as const)
    .filter(isShort)
    .map((name) => `${name} must have at least ${minKeyLength} characters, unless HOST is a loopback address`);
  if (environment.API_KEY !== undefined || environment.ALLOW_OPEN) return faults;
  return [...faults, 'HOST must be a loopback address, unless API_KEY is set or ALLOW_OPEN is true'];
}

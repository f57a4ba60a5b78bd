import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type LightAbortSignal, onFirstAbort } from '../../actors/kit/light-abort.ts';

/** For one question to one name server. */
const tryTimeoutMs = 2_000;
/** Rounds through the name servers. */
const maxTries = 2;
/** The default of resolv.conf(5): names with fewer dots are searched in the domains first. */
const defaultNdots = 1;
/** "The name does not exist" and "it has no such record": the search goes on. */
const isAbsence: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * The addresses of a name, best first; none if it does not exist. Ends with its signal.
 * @throws no name server answers
 */
export type Resolve = (name: string, signal: LightAbortSignal) => Promise<readonly string[]>;

export interface NamesOptions {
  hostsFile?: string;
  resolvConf?: string;
  /** Addresses of the name servers, with or without a port. Default: those of the system. */
  servers?: readonly string[];
}

/**
 * Resolves names as the system does by `hosts: files dns` (nsswitch.conf(5)), but without its blocking resolver: that
 * one (`dns.lookup`) runs on Node's few threads, two at a time, and cannot be cancelled, so that a few names whose server
 * never answers stop the look-ups of all sessions. This one asks over sockets of its own, and ends with the signal.
 */
export function createNames({
  hostsFile = '/etc/hosts',
  resolvConf = '/etc/resolv.conf',
  servers,
}: NamesOptions = {}): Resolve {
  return async (name, signal) => {
    const wanted = name.replace(/\.$/, '').toLowerCase();
    const listed = addressesIn(await textOf(hostsFile), wanted);
    if (listed.length > 0) return listed;
    // RFC 6761, section 6.3: never asked of a name server.
    if (/(?:^|\.)localhost$/.test(wanted)) return ['127.0.0.1', '::1'];
    for (const candidate of candidates(name, await textOf(resolvConf))) {
      signal.throwIfAborted();
      const addresses = await ask(candidate, servers, signal);
      if (addresses.length > 0) return addresses;
    }
    return [];
  };
}

/** @throws no name server answers, or the signal has cancelled the questions */
async function ask(
  name: string,
  servers: readonly string[] | undefined,
  signal: LightAbortSignal,
): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: tryTimeoutMs, tries: maxTries });
  if (servers !== undefined) resolver.setServers(servers);
  const stopListening = onFirstAbort([signal], () => resolver.cancel());
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = interleaved(valuesOf(four), valuesOf(six));
    const failure = [four, six].find((result) => result.status === 'rejected' && !isAbsence.has(codeOf(result.reason)));
    if (addresses.length === 0 && failure?.status === 'rejected') throw failure.reason;
    return addresses;
  } finally {
    stopListening();
  }
}

const valuesOf = (result: PromiseSettledResult<string[]>): string[] =>
  result.status === 'fulfilled' ? result.value : [];

const codeOf = (error: unknown): string => String(Object(error).code);

/** IPv4 first, which more networks have; both kinds are among the first few. */
const interleaved = (four: readonly string[], six: readonly string[]): string[] =>
  Array.from({ length: Math.max(four.length, six.length) }, (_, index) => [four[index], six[index]])
    .flat()
    .filter((address) => address !== undefined);

/** hosts(5): a line is an address and its names. */
function addressesIn(hosts: string, name: string): string[] {
  // Lists against advertising have a hundred thousand lines.
  if (!hosts.toLowerCase().includes(name)) return [];
  return linesOf(hosts).flatMap(([address = '', ...names]) =>
    isIP(address) !== 0 && names.some((other) => other.toLowerCase() === name) ? [address] : [],
  );
}

/** The names to ask for, in their order: resolv.conf(5), `search` and `ndots`. */
function candidates(name: string, resolvConf: string): string[] {
  if (name.endsWith('.')) return [name];
  let domains: string[] = [];
  let ndots = defaultNdots;
  for (const [keyword, ...values] of linesOf(resolvConf)) {
    if (keyword === 'search' || keyword === 'domain') domains = values;
    const given = keyword === 'options' ? values.find((value) => /^ndots:\d+$/.test(value)) : undefined;
    if (given !== undefined) ndots = Number(given.slice('ndots:'.length));
  }
  const searched = domains.map((domain) => `${name}.${domain}`);
  return name.split('.').length > ndots ? [name, ...searched] : [...searched, name];
}

/** The words of each line, without comments. */
const linesOf = (text: string): string[][] =>
  text.split('\n').map((line) =>
    line
      .replace(/[#;].*$/, '')
      .trim()
      .split(/\s+/),
  );

/** Empty if there is no such file. */
const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

import { isIP } from 'node:net';

/** What makes a gateway one of several on a store (CL1). */
export interface ClusterSettings {
  /** The origin at which the other nodes reach this one. */
  url: string;
  /** The secret that all nodes share: it signs requests from node to node. */
  key: string;
  /** Life of a lease, in milliseconds. */
  leaseMs: number;
}

interface ClusterEnvironment {
  NODE_URL?: string | undefined;
  CLUSTER_KEY?: string | undefined;
  LEASE_SECONDS: number;
  EVENT_STORE_URL?: string | undefined;
}

/** A key that can be guessed lets anyone speak as a node. */
const minKeyLength = 32;

/** Undefined if neither `NODE_URL` nor `CLUSTER_KEY` is set. @param faults gets what is wrong with them */
export function clusterSettings(environment: ClusterEnvironment, faults: string[]): ClusterSettings | undefined {
  const { NODE_URL, CLUSTER_KEY: key, LEASE_SECONDS, EVENT_STORE_URL: store } = environment;
  const url = NODE_URL === undefined ? undefined : originOf(NODE_URL);
  if (url === '') faults.push('NODE_URL must be the origin of an http or https url, as in http://10.0.0.11:3000');
  if (url === undefined && key === undefined) return undefined;
  if (url === undefined || key === undefined) {
    faults.push('NODE_URL and CLUSTER_KEY must be both set, or both unset');
    return undefined;
  }
  if (key.length < minKeyLength) faults.push(`CLUSTER_KEY must have ${minKeyLength} characters or more`);
  if (store === undefined || store.startsWith('sqlite:')) {
    faults.push('NODE_URL needs EVENT_STORE_URL to name a KurrentDB server: an embedded store has one gateway');
  }
  return { url, key, leaseMs: LEASE_SECONDS * 1000 };
}

/** @returns empty if the text is more or less than an origin. A slash behind it does no harm. */
function originOf(text: string): string {
  if (!URL.canParse(text)) return '';
  const { href, origin, protocol } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : '';
}

/** @param faults gets what is wrong with it */
export function localAddress(text: string | undefined, faults: string[]): string | undefined {
  if (text !== undefined && isIP(text) === 0) faults.push('LOCAL_ADDRESS must be an IP address of this machine');
  return text;
}

import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header of a request that one node passes to another (ADR 21). */
export const hopHeader = 'x-gateway-hop';

/** What a node says of a request that it passes on. */
export interface Hop {
  /** Names of the nodes. */
  from: string;
  to: string;
  /** When, milliseconds since 1970. */
  at: number;
  /** ID of the caller's request. */
  reqId: string;
  /** The caller's address, for limits and the log. */
  client: string;
  /** How long the request may still wait for its session, in milliseconds. */
  waitMs: number;
  /** SHA-256 of the body, base64url, in a request that is the node's own. */
  digest?: string;
}

export interface HopTarget {
  method: string;
  /** Path and query. */
  url: string;
}

/** A request to a node from another one, as far as it is believed. */
export type HopReading = { kind: 'good'; hop: Hop } | { kind: 'forged' | 'stale' };

/** As long as Standard Webhooks allows between two clocks (https://www.standardwebhooks.com). */
const maxHopAgeMs = 5 * 60_000;

export function signHop(clusterKey: string, hop: Hop, target: HopTarget): string {
  const payload = Buffer.from(JSON.stringify(hop)).toString('base64url');
  return `${payload}.${macOf(clusterKey, payload, target).toString('base64url')}`;
}

/** @param text the header's value @param now milliseconds since 1970 */
export function readHop(clusterKey: string, text: string, target: HopTarget, now: number): HopReading {
  const [payload = '', mac = '', ...rest] = text.split('.');
  const given = Buffer.from(mac, 'base64url');
  const expected = macOf(clusterKey, payload, target);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return { kind: 'forged' };
  }
  const hop = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Hop;
  return Math.abs(now - hop.at) > maxHopAgeMs ? { kind: 'stale' } : { kind: 'good', hop };
}

/** The first line keeps it apart from what else may be signed with the key. */
const macOf = (clusterKey: string, payload: string, { method, url }: HopTarget): Buffer =>
  createHmac('sha256', clusterKey).update(`gateway hop 1\n${method} ${url}\n${payload}`).digest();

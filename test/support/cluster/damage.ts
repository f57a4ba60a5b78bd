import { setTimeout as pause } from 'node:timers/promises';
import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventReader } from '../../../actors/ports/event-store.ts';
import { sessionPrefix } from '../../../actors/session/events.ts';
import { sessionCodec } from '../../../actors/session/session-codec.ts';
import { replayStore } from '../../../src/store/tools/replay-store.ts';
import { httpClient } from '../gateway/gateway.ts';

const retryMs = 100;
/** After this many reads, some seconds, a difference of audits counts as damage. */
const maxTries = 30;

/** What several gateways must never do. Each entry says what happened to what. */
export interface Damage {
  lost: string[];
  doubled: string[];
  disordered: string[];
  /** 404, or 400, for what exists. */
  notFound: string[];
  auditGaps: string[];
  /** Sessions whose history is not that of one owner after the other, or not what today's chart makes of it. */
  forks: string[];
  /** Login keys that Telegram has dropped because they were used from two addresses. */
  doublyUsedKeys: number;
}

export const noDamage = (): Damage => ({
  lost: [],
  doubled: [],
  disordered: [],
  notFound: [],
  auditGaps: [],
  forks: [],
  doublyUsedKeys: 0,
});

/** Adds what differs between the texts that were written and those that arrived. */
export function compareTexts(damage: Damage, written: readonly string[], arrived: readonly string[]): void {
  const first = [...new Set(arrived)];
  damage.lost.push(...written.filter((text) => !first.includes(text)));
  damage.doubled.push(...arrived.filter((text, at) => arrived.indexOf(text) !== at));
  damage.doubled.push(...first.filter((text) => !written.includes(text)).map((text) => `${text}, which was not sent`));
  const inOrder = written.filter((text) => first.includes(text));
  const known = first.filter((text) => written.includes(text));
  const at = known.findIndex((text, place) => text !== inOrder[place]);
  if (at >= 0) damage.disordered.push(`${known[at]} in the place of ${inOrder[at]}`);
}

/** Gaps in the audit of a session, at each node; and nodes whose audits differ. */
export async function auditGaps(
  nodes: readonly { url: string }[],
  headers: { id: string; 'session-id': string },
): Promise<string[]> {
  const readAll = (): Promise<AuditedEvent[][]> => Promise.all(nodes.map(({ url }) => auditOf(url, headers)));
  let audits = await readAll();
  // The session may just have been given to another owner, which is recorded while they are read.
  for (let tries = 0; tries < maxTries && new Set(audits.map(({ length }) => length)).size > 1; tries += 1) {
    await pause(retryMs);
    audits = await readAll();
  }
  const problems: string[] = [];
  for (const [number, audit] of audits.entries()) {
    const gap = audit.findIndex(({ seq }, at) => seq !== at + 1);
    if (gap >= 0) problems.push(`event ${gap + 1} of ${headers.id} is not in the audit of node ${number}`);
    if (audit.length !== audits[0]?.length) problems.push(`the audits of ${headers.id} differ in length`);
  }
  return problems;
}

interface AuditedEvent {
  seq: number;
  type: string;
  /** ISO 8601. */
  created: string;
  state: string;
}

/** The whole audit of a session, as a node shows it. */
async function auditOf(url: string, headers: { id: string; 'session-id': string }): Promise<AuditedEvent[]> {
  const events: AuditedEvent[] = [];
  for (;;) {
    const path = `/session/events?limit=1000&after=${events.length}`;
    const { status, body } = await httpClient(url).request('GET', path, { headers });
    if (status !== 200) {
      // The node may just have started.
      await pause(retryMs);
      continue;
    }
    const { docs } = body as unknown as { docs: AuditedEvent[] };
    if (docs.length === 0) return events;
    events.push(...docs);
  }
}

/** Events that another node than the owner has recorded, and those that the chart would not. */
export async function forksIn(store: EventReader): Promise<string[]> {
  const forks: string[] = [];
  const owners = new Map<string, { node: string; epoch: number }>();
  for await (const recorded of store.readAll({ prefixes: [sessionPrefix] })) {
    const event = sessionCodec.decode(recorded);
    if (isUnreadable(event)) continue;
    const { stream, revision, type } = recorded;
    const { by: node, epoch = -1 } = event.metadata;
    const owner = owners.get(stream);
    if (type === 'OwnerChanged' || owner === undefined) owners.set(stream, { node, epoch });
    else if (owner.node !== node) forks.push(`${stream} ${revision} ${type}: by ${node}, the owner is ${owner.node}`);
    if (owner !== undefined && epoch < owner.epoch) forks.push(`${stream} ${revision} ${type}: an epoch that was over`);
  }
  await replayStore({
    store,
    decoders: [],
    onDrift: (drift) => forks.push(JSON.stringify(drift)),
    onUnreadable: ({ stream, revision }) => forks.push(`${stream} ${revision} cannot be read`),
  });
  return forks;
}

import { text } from 'node:stream/consumers';
import { type SessionStreamKind, streamKinds } from '../../../actors/ports/event-codec.ts';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import type { Answer } from '../gateway/gateway.ts';
import { startWebServer } from '../kit/web-server.ts';
import { metricSamples } from '../metrics/metric-samples.ts';
import { type DamageName, damageNames, damages, type PoisonedStore, plantedSecret } from './poisoned-store.ts';
import { bob, type Caller, openScene, type Scene } from './scene.ts';

/** Which stream of a session is poisoned, and how. */
export interface Cell {
  kind: SessionStreamKind;
  damage: DamageName;
}

export const allCells: Cell[] = streamKinds.flatMap((kind) => damageNames.map((damage) => ({ kind, damage })));

export interface PoisonedSession extends Partial<Cell> {
  readonly caller: Caller;
  readonly userId: string;
  /** The texts that its webhook has been told of. */
  readonly texts: string[];
  /** The answer to the send under the key `used`, before the poison. */
  readonly usedBefore: Answer;
  /** Whether the list of sessions says so. */
  isHeld: boolean | undefined;
  /** By request, those of the last round. */
  answers: Record<string, Answer>;
}

/** A gateway with a session for each cell and a neighbour that is not poisoned, each of an account of its own. */
export interface PoisonedScene {
  readonly scene: Scene;
  readonly neighbour: PoisonedSession;
  /** What the command `replay` said of the poisoned store. */
  readonly replay: { code: number; output: string };
  /** What it named: `stream revision reason` each. */
  readonly named: string[];
  sessionOf(cell: Cell): PoisonedSession;
  /** Plants an event for each cell, and some in streams of no session. */
  poison(): Promise<void>;
  /** The gateway begins anew. */
  restart(): Promise<void>;
  /** Everything is asked of every session, and all accounts are written to before and after that. */
  useAll(round: string): Promise<void>;
  /** The unreadable events that the gateway has logged since its start: `stream revision reason` each. */
  readonly reported: string[];
  /** What it has logged since its start. */
  readonly log: string;
  /** The unreadable events that it has counted, by kind of stream. */
  counted(): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** Longer than a login that has changed waits for its save. */
const saveMs = 61_000;

export async function openPoisonedScene(store: PoisonedStore): Promise<PoisonedScene> {
  const sessions: PoisonedSession[] = [];
  const receiver = await startWebServer((request, response) => {
    void text(request).then((body) => {
      const { data } = JSON.parse(body) as Payload;
      const session = sessions.find(({ caller }) => request.url === `/${caller.id}`);
      session?.texts.push('text' in data ? data.text : '');
      response.end();
    });
  });
  let lines: string[] = [];
  const logTo = { write: (line: string): void => void lines.push(line) };
  const scene = await openScene({ environment: { ALLOW_PRIVATE_URLS: 'true', ...store.environment }, logTo });
  let replay = { code: Number.NaN, output: '' };

  const newAccount = async (): Promise<string> =>
    (await scene.sandbox.call<{ userId: string }>('POST', '/accounts', { firstName: 'Person' })).userId;
  const webhookOf = ({ id }: Caller): object => ({ url: `${receiver.url}/${id}`, token: 'secret' });
  const send = ({ headers }: Caller, key?: string): Promise<Answer> =>
    scene.gateway.http.request('POST', '/message', {
      headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
      body: { type: 'text', username: 'bob', text: 'Hello' },
    });
  const tellAll = async (from: string, message: string): Promise<void> => {
    for (const { userId } of sessions) {
      await scene.sandbox.call('POST', `/accounts/${from}/messages`, { peer: userId, text: message });
    }
  };
  const command = (caller: Caller, name: string): Promise<Answer> => {
    const [method = '', path = ''] = name.split(' ');
    const bodies: Record<string, object> = { PUT: webhookOf(caller), POST: {} };
    return scene.request(caller, method, path, bodies[method]);
  };
  const commands = ['PUT /session/webhook', 'POST /session/reset', 'DELETE /session'];

  const use = async ({ caller, isHeld }: PoisonedSession, round: string): Promise<Record<string, Answer>> => {
    const answers: Record<string, Answer> = {
      'GET /session': await scene.request(caller, 'GET', '/session'),
      'GET /session/webhook/parked': await scene.request(caller, 'GET', '/session/webhook/parked'),
      'POST /message': await send(caller),
      'POST /message, new key': await send(caller, `new in ${round}`),
      'POST /message, used key': await send(caller, 'used'),
    };
    if (isHeld === true) for (const name of commands) answers[name] = await command(caller, name);
    return answers;
  };

  const logIn = async (cell: Partial<Cell>): Promise<PoisonedSession> => {
    const userId = await newAccount();
    const caller = await scene.connected(userId);
    await scene.request(caller, 'PUT', '/session/webhook', webhookOf(caller));
    const usedBefore = await send(caller, 'used');
    return { ...cell, caller, userId, texts: [], usedBefore, isHeld: false, answers: {} };
  };
  sessions.push(...(await Promise.all([...allCells, {}].map((cell) => logIn(cell)))));
  await tellAll(bob, 'before');
  await scene.pass(saveMs);

  return {
    scene,
    neighbour: sessions.at(-1) as PoisonedSession,
    get replay() {
      return replay;
    },
    get named() {
      const found = replay.output.matchAll(/^(\S+) (\d+): cannot be read \(([a-z-]+)\)$/gm);
      return [...found].map(([, stream, revision, reason]) => `${stream} ${revision} ${reason}`);
    },
    sessionOf: ({ kind, damage }) =>
      sessions.find((session) => session.kind === kind && session.damage === damage) as PoisonedSession,
    async poison() {
      const { dataDir } = scene.gateway;
      const brokenMetadata = { type: 'Odd', data: '{}', metadata: `{"${plantedSecret}":` };
      const bytes = { type: 'Odd', data: Buffer.from([0xff, 0x00]), metadata: '{}' };
      for (const { kind, damage, caller } of sessions) {
        if (kind && damage) await store.plant(dataDir, `${kind}-${caller.id}`, damages[damage].eventIn(kind));
      }
      for (const kind of streamKinds) {
        for (const event of [brokenMetadata, bytes]) await store.plant(dataDir, `${kind}-of-another-program`, event);
      }
      replay = await store.replay(dataDir);
    },
    async restart() {
      lines = [];
      await scene.restart();
      await scene.gateway.started;
      await scene.pass(1000);
    },
    async useAll(round) {
      // Another program's event in the embedded store is met with the next event of the session.
      for (const { kind, damage, caller } of sessions) {
        const name = commands[damageNames.indexOf(damage as DamageName) % commands.length];
        if (kind === 'session') await command(caller, name as string);
      }
      await scene.pass(1000);
      // A new peer makes the gateway save the login.
      const stranger = await newAccount();
      await tellAll(stranger, `${round}, first`);
      await scene.pass(saveMs);
      for (const session of sessions) {
        const { body } = await scene.gateway.http.request<{ held: boolean }>('GET', `/sessions/${session.caller.id}`);
        session.isHeld = body.held;
        session.answers = await use(session, round);
      }
      await tellAll(stranger, `${round}, second`);
      await scene.pass(1000);
    },
    get reported() {
      return lines.flatMap((line) => {
        const { msg, stream, revision, reason } = JSON.parse(line) as Record<string, string>;
        return msg === 'an event cannot be read' ? [`${stream} ${revision} ${reason}`] : [];
      });
    },
    get log() {
      return lines.join('');
    },
    async counted() {
      const samples = metricSamples(await (await fetch(`${scene.gateway.url}/metrics`)).text());
      const nameOf = (kind: SessionStreamKind): string => `gateway_unreadable_events_total{stream="${kind}"}`;
      return Object.fromEntries(streamKinds.map((kind) => [kind, samples.get(nameOf(kind)) ?? Number.NaN]));
    },
    async close() {
      await scene.close();
      await receiver.close();
      await store.remove();
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { createMediaLinks } from '../../src/media/links/media-link.ts';
import { type Measurement, report } from '../measurement.ts';
import type { AttackName, AttackTarget } from '../programs/attacker.ts';
import { ann, bob, cara } from '../support/accounts.ts';
import { attackFiles } from '../support/attack-files.ts';
import { type ChildProgram, startProgram } from '../support/child-program.ts';
import { get } from '../support/get.ts';
import { jsonCall } from '../support/json-call.ts';
import { type Credentials, type LiveGateway, logIn, setWebhook, withLiveGateway } from '../support/live-gateway.ts';
import { percentile } from '../support/watch-restart.ts';

/** What a session feels while another one does what the gateway cannot refuse: `GET /session` each 5 ms. */
const readEveryMs = 5;
const measuredMs = 5_000;
/** Until an attack is under way. */
const settleMs = 500;
const linkKey = Buffer.alloc(32, 5);
const linkedBytes = 8 * 1024 * 1024;
const webhookEvents = 20;

/** Milliseconds of the victim's reads. */
interface Felt {
  p50: number;
  p95: number;
}

const measurements = await withLiveGateway(
  async (live) => {
    const attacker = await startProgram('bench/programs/attacker', {});
    try {
      const [victim, session] = [await logIn(live, cara), await logIn(live, ann)];
      const target = { gateway: live.gateway.url, session, link: await publicLink(live, session) };
      return await measure(live, attacker, victim, target);
    } finally {
      await attacker.end();
    }
  },
  {
    MEDIA_LINK_KEYS: linkKey.toString('hex'),
    // The attacker's files are on loopback.
    ALLOW_PRIVATE_URLS: 'true',
  },
);
report(measurements);

async function measure(
  live: LiveGateway,
  attacker: ChildProgram,
  victim: Credentials,
  target: AttackTarget,
): Promise<Measurement[]> {
  await feel(live, victim);
  const calm = await feel(live, victim);
  const lines: Measurement[] = [];
  const under = async (what: string, begin: () => Promise<unknown>, end: () => Promise<unknown>): Promise<void> => {
    await begin();
    await sleep(settleMs);
    const felt = await feel(live, victim);
    lines.push(lineOf(what, felt, calm, JSON.stringify(await end())));
  };
  const attack = (name: AttackName, what: string): Promise<void> =>
    under(
      what,
      () => attacker.command('begin', { name, target }),
      () => attacker.command('end'),
    );
  lines.push(await smallPicture(live, attacker, victim, target));
  lines.push(await refusedBomb(live, attacker.url, target.session));
  await attack('stalled videos', '200 sends of videos that stall');
  await attack('slow viewers', '600 viewers of one link that do not read');
  await attack('event streams', '3,000 event streams of one session');
  await attack('markdown', '8 callers with 240 KB of markdown each');
  await under(
    'a webhook that sends interim responses (1xx) without end',
    async () => {
      await setWebhook(live, target.session, attacker.url + attackFiles.interim);
      await sleep(settleMs);
      for (let sent = 0; sent < webhookEvents; sent++) await write(live, bob, ann);
    },
    () =>
      jsonCall('PUT', `${live.gateway.url}/session/webhook`, { headers: target.session, body: { url: '', token: '' } }),
  );
  return lines;
}

function lineOf(what: string, { p50, p95 }: Felt, calm: Felt, detail: string): Measurement {
  return {
    line: `GET /session of a neighbour, p95: ${what}`,
    value: p95,
    unit: 'ms',
    bar: { atMost: Math.max(20, 2 * calm.p95) },
    detail: `p50 ${p50.toFixed(1)}; calm ${calm.p50.toFixed(1)} and ${calm.p95.toFixed(1)} ms; the attacker got ${detail}`,
  };
}

async function feel({ gateway }: LiveGateway, victim: Credentials): Promise<Felt> {
  const times: number[] = [];
  for (const until = performance.now() + measuredMs; performance.now() < until; await sleep(readEveryMs)) {
    times.push((await get(`${gateway.url}/session`, victim)).ms);
  }
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

async function refusedBomb({ gateway }: LiveGateway, files: string, session: Credentials): Promise<Measurement> {
  // The attack before has ended the process that reads pictures: another one starts.
  await postPicture(gateway, session, files + attackFiles.small);
  const begun = performance.now();
  const status = await postPicture(gateway, session, files + attackFiles.bomb);
  return {
    line: 'a PNG of 2 MB that would unpack to 2 GB is refused after',
    value: status === 200 ? Infinity : performance.now() - begun,
    unit: 'ms',
    bar: { atMost: 100 },
    detail: `with ${status}`,
  };
}

/** A turn is one large picture, alone. */
async function smallPicture(
  { gateway }: LiveGateway,
  attacker: ChildProgram,
  victim: Credentials,
  target: AttackTarget,
): Promise<Measurement> {
  const timed = async (session: Credentials, path: string): Promise<number> => {
    const begun = performance.now();
    const status = await postPicture(gateway, session, attacker.url + path);
    if (status !== 200) throw new Error(`a picture was answered with ${status}`);
    return performance.now() - begun;
  };
  const turnMs = await timed(target.session, attackFiles.large);
  await attacker.command('begin', { name: 'pictures' satisfies AttackName, target });
  await sleep(settleMs);
  const smallMs = await timed(victim, attackFiles.small);
  await attacker.command('end');
  return {
    line: '8 large pictures of one session, then a small one of another: turns until it is sent',
    value: smallMs / turnMs,
    unit: 'turns',
    bar: { atMost: 2 },
    detail: `${smallMs.toFixed(0)} ms; a large one alone ${turnMs.toFixed(0)} ms`,
  };
}

async function postPicture(gateway: ChildProgram, session: Credentials, url: string): Promise<number> {
  const response = await fetch(`${gateway.url}/message`, {
    method: 'POST',
    headers: { ...session, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bob', type: 'image', image: { url, mimetype: 'image/png' } }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Of a file that Ann sends to Bob. */
async function publicLink(live: LiveGateway, session: Credentials): Promise<string> {
  const { messageId } = await write(live, ann, bob, { media: { kind: 'document', size: linkedBytes } });
  const links = createMediaLinks({ keys: [linkKey], publicUrl: () => live.gateway.url });
  return links.link(session.id, ann, { chatId: bob, messageId, variant: 'file' }, 'bin');
}

function write(
  { sandbox }: LiveGateway,
  from: string,
  peer: string,
  content: object = { text: 'hello' },
): Promise<{ messageId: string }> {
  return jsonCall('POST', `${sandbox.url}/accounts/${from}/messages`, { body: { peer, ...content } });
}

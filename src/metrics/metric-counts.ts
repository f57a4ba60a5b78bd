import { Counter, Histogram, type Registry } from 'prom-client';
import { faultParts } from '../../actors/ports/log.ts';
import { describeChart } from '../../actors/session/describe-chart.ts';
import { DurationHistogram } from './duration-histogram.ts';
import { labelLimit } from './label-limit.ts';
import { type CountedFact, forwardOutcomes, type Metrics } from './metrics.ts';

/** What a login ended with, by the state before it; from every other one it is a QR code. */
const waysIn: Readonly<Record<string, string>> = { codeRequired: 'code', passwordRequired: 'password' };

/** Upper bounds, in seconds. */
const buckets = {
  request: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  send: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 240],
  append: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10],
  /** A QR code lasts 3 minutes. */
  scan: [5, 10, 20, 30, 45, 60, 90, 120, 180],
  /** A session that was disconnected for 30 minutes is deleted. */
  away: [10, 15, 30, 60, 120, 300, 600, 1200, 1800],
};

/**
 * Counts of events as they happen, a microsecond each. Series with known labels exist from the start with 0: a series
 * that begins with 1 has not increased, as Prometheus sees it, and no alert would notice the first occurrence.
 */
export function createCounts(registry: Registry): Metrics {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, of: keyof typeof buckets): DurationHistogram =>
    new DurationHistogram({ name, help, buckets: buckets[of], registry });

  const requests = histogram('gateway_http_request_seconds', 'Requests, until the last byte of the answer', 'request');
  const sends = counter('gateway_sends_total', 'Messages and stories, by how they ended', ['type', 'outcome']);
  const sendTimes = histogram('gateway_send_seconds', 'Sends, until Telegram has them', 'send');
  const waits = counter('gateway_telegram_waits_total', 'How often Telegram asked to wait', ['request', 'waited']);
  const appends = histogram('gateway_store_append_seconds', 'Appends to the event store', 'append');
  const chunks = counter('gateway_media_chunks_total', 'Chunks of files that viewers asked for', ['from']);
  const forwards = counter(
    'gateway_forwarded_requests_total',
    'Requests that were passed to the node of their session, by outcome',
    ['outcome'],
  );
  const faults = counter('gateway_faults_total', 'Faults that an operator has to look into', ['where']);
  const outcomeName = labelLimit();
  for (const where of faultParts) faults.inc({ where }, 0);
  for (const outcome of ['recorded', 'wrong-revision', 'unavailable']) appends.begin(outcome, { outcome });
  for (const from of ['cache', 'telegram']) chunks.inc({ from }, 0);
  for (const outcome of forwardOutcomes) forwards.inc({ outcome }, 0);
  return {
    requested({ method, route, status }, seconds) {
      if (route === undefined)
        requests.observe(`${status}`, seconds, () => ({ method: 'any', route: 'unknown', status }));
      else requests.observe(`${status} ${method} ${route}`, seconds, () => ({ method, route, status }));
    },
    sent(type, outcome, seconds) {
      sends.inc({ type, outcome: outcomeName(outcome) });
      sendTimes.observe(type, seconds, () => ({ type }));
    },
    waitAsked: ({ request, waited }) => waits.inc({ request, waited: String(waited) }),
    appended: (outcome, seconds) => appends.observe(outcome, seconds, () => ({ outcome })),
    faulted: (where) => faults.inc({ where }),
    happened: countFacts(registry),
    chunkAsked: (from) => chunks.inc({ from }),
    forwarded: (outcome) => forwards.inc({ outcome }),
  };
}

function countFacts(registry: Registry): (fact: CountedFact) => void {
  const registers = [registry];
  const facts = new Counter({
    name: 'gateway_session_facts_total',
    help: 'What happened to sessions',
    labelNames: ['fact'],
    registers,
  });
  const logins = new Counter({
    name: 'gateway_logins_total',
    help: 'Logins, by what ended them',
    labelNames: ['by'],
    registers,
  });
  const scans = new Histogram({
    name: 'gateway_login_scan_seconds',
    help: 'From the state QR pending to the scan',
    buckets: buckets.scan,
    registers,
  });
  const disconnects = new Counter({
    name: 'gateway_disconnects_total',
    help: 'Connected sessions that were disconnected, by reason',
    labelNames: ['reason'],
    registers,
  });
  const reconnects = new Histogram({
    name: 'gateway_reconnect_seconds',
    help: 'How long sessions were disconnected that came back',
    buckets: buckets.away,
    registers,
  });
  const lost = new Counter({
    name: 'gateway_logins_lost_total',
    help: 'Logins that Telegram ended, by reason',
    labelNames: ['reason'],
    registers,
  });
  const reasonName = labelLimit();
  for (const fact of ['SessionCreated', ...describeChart().transitions.map((transition) => transition.fact)]) {
    facts.inc({ fact }, 0);
  }
  for (const by of ['qr', 'code', 'password', 'string']) logins.inc({ by }, 0);
  for (const reason of ['SESSION_REVOKED', 'AUTH_KEY_DUPLICATED']) lost.inc({ reason: reasonName(reason) }, 0);
  return ({ type, from, to, reason, secondsBefore }) => {
    facts.inc({ fact: type });
    if (type === 'LoggedIn') logins.inc({ by: waysIn[from ?? ''] ?? 'qr' });
    if (type === 'LoginImported') logins.inc({ by: 'string' });
    const isScanned = from === 'qrPending' && (to === 'connected' || to === 'passwordRequired');
    if (isScanned && secondsBefore !== undefined) scans.observe(secondsBefore);
    if (from === 'connected' && to === 'disconnected') disconnects.inc({ reason: reasonName(reason) });
    if (from === 'disconnected' && to === 'connected' && secondsBefore !== undefined) {
      reconnects.observe(secondsBefore);
    }
    if (type === 'LoginLost') lost.inc({ reason: reasonName(reason) });
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, readQr } from '../gateway/gateway.ts';
import type { TestSandbox } from '../sandbox/sandbox.ts';
import type { Entry, Ledger, Webhook } from './client-knowledge.ts';
import type { Wire, WireOptions } from './wire.ts';

export interface Person {
  userId: string;
  /** Their two-step password, or ''. */
  password: string;
}

export interface ClientParts {
  wire: Wire;
  sandbox: Pick<TestSandbox, 'call' | 'scan'>;
  ledger: Ledger;
  person: Person;
  /** From 0 up to 1. */
  chance: () => number;
  isOver: () => boolean;
}

/** A session is not there that should be. */
export class LostSessionError extends Error {
  override name = 'LostSessionError';
  readonly id: string;

  constructor(id: string, { status, body }: Answer) {
    super(`session ${id} was answered with ${status} ${JSON.stringify(body)}`);
    this.id = id;
  }
}

/** Clients are told to poll; a machine need not wait for as long as people do. */
const pollMs = 15;
const off: Webhook = { url: '', token: '' };

/**
 * One client: creates a session, scans, gives the password, uses it in every way, loses it, and begins again; and keeps
 * book of what it was told. Ends when it is over, at the next step.
 */
export async function live(parts: ClientParts): Promise<void> {
  while (!parts.isOver()) {
    const entry = await create(parts);
    if (entry !== undefined) await use(parts, entry);
  }
}

async function create(parts: ClientParts): Promise<Entry | undefined> {
  const { ledger, person, chance } = parts;
  const webhook = chance() < 0.5 ? someWebhook(chance) : undefined;
  const answer = await command(parts, 'POST', '/session', { body: { name: 'Survivor', webhook } });
  if (answer === undefined) return undefined;
  expectStatus(answer, 200);
  const { id, sessionId } = answer.body as { id: string; sessionId: string };
  const entry: Entry = {
    id,
    headers: { id, 'session-id': sessionId },
    account: person.userId,
    webhooks: [webhook ?? off],
    deleted: 'no',
    login: 'out',
    isScanned: false,
    mayBeAccepted: false,
    hadLogin: false,
  };
  ledger.entries.push(entry);
  return entry;
}

async function use(parts: ClientParts, entry: Entry): Promise<void> {
  while (!parts.isOver() && entry.deleted !== 'yes') {
    const body = await read(parts, entry);
    if (body === undefined) return;
    if (parts.chance() < 0.03) await reset(parts, entry);
    else if (parts.chance() < 0.02) await remove(parts, entry);
    else if (body['isConnected'] === true) await act(parts, entry);
    else if (body['isPasswordRequired'] === true) await givePassword(parts, entry);
    else if (body['qrcode'] !== '') await scan(parts, entry, String(body['qrcode']));
    else await pause(pollMs);
  }
}

/** The session, or undefined where it is gone. */
async function read({ wire }: ClientParts, entry: Entry): Promise<Record<string, unknown> | undefined> {
  for (;;) {
    const answer = await wire.request('GET', '/session', { headers: entry.headers });
    if (answer === undefined) continue;
    if (answer.status === 404 && entry.deleted === 'maybe') entry.deleted = 'yes';
    if (entry.deleted === 'yes') return undefined;
    if (answer.status !== 200) throw new LostSessionError(entry.id, answer);
    entry.deleted = 'no';
    if (answer.body['isConnected'] === true) {
      if (entry.login === 'out') throw new Error(`${entry.id} is logged in, and nobody scanned`);
      entry.hadLogin = true;
      if (entry.isScanned) entry.login = 'in';
    }
    return answer.body;
  }
}

/** What one does with a session that is connected. */
async function act(parts: ClientParts, entry: Entry): Promise<void> {
  const drawn = parts.chance();
  if (drawn < 0.5) await sendText(parts, entry);
  else if (drawn < 0.7) await setWebhook(parts, entry);
  else if (drawn < 0.8) await reset(parts, entry);
  else if (drawn < 0.9) await removeDevice(parts, entry);
  else await remove(parts, entry);
}

async function scan({ sandbox, person }: ClientParts, entry: Entry, qrcode: string): Promise<void> {
  const link = await readQr(qrcode);
  entry.login = 'unknown';
  entry.isScanned = true;
  entry.mayBeAccepted = false;
  // One that has run out, or was scanned before the gateway died, is refused: there will be another.
  await sandbox.scan(link, person.userId).catch(() => pause(pollMs));
}

async function givePassword(parts: ClientParts, entry: Entry): Promise<void> {
  const { person, chance } = parts;
  const isRight = chance() < 0.7;
  const body = { password: isRight ? person.password : 'wrong' };
  const answer = await command(parts, 'POST', '/session/password', { headers: entry.headers, body });
  // An earlier try whose answer was lost may have been accepted; a connection may not be there yet.
  const other = [/^password is not required$/, /^session not connected$/, /^A wait of /];
  if (answer === undefined || other.some((known) => known.test(String(answer.body['message'])))) {
    entry.mayBeAccepted ||= isRight;
    return;
  }
  // Once Telegram has taken the right one, it asks for none, and takes any.
  if (!isRight && !(entry.mayBeAccepted && answer.status === 200)) {
    expectStatus(answer, 400, 'invalid password');
    return;
  }
  expectStatus(answer, 200);
  entry.login = 'in';
  entry.hadLogin = true;
}

async function sendText(parts: ClientParts, entry: Entry): Promise<void> {
  const { ledger, person, chance } = parts;
  const sent = { account: person.userId, text: `text ${Math.floor(chance() * 2 ** 48)}`, acknowledged: false };
  const body = { username: 'bob', type: 'text', text: sent.text };
  const sending = (): void => {
    if (!ledger.texts.includes(sent)) ledger.texts.push(sent);
  };
  const key = chance() < 0.6 ? { 'idempotency-key': sent.text } : undefined;
  const send = (): Promise<Answer | undefined> =>
    command(parts, 'POST', '/message', { headers: { ...entry.headers, ...key }, body, sending });
  // With a key it can be asked for again, however often, and is one message all the same.
  const isRepeatable = (): boolean => key !== undefined && entry.login === 'in' && !parts.isOver();
  let answer = await send();
  while (isInDoubt(answer) && isRepeatable()) {
    await pause(pollMs);
    ledger.repeated += 1;
    answer = await send();
  }
  if (answer === undefined) return;
  sent.acknowledged = answer.status === 200;
  // A session may have lost its connection, or its login on the phone, and not have noticed when it was read.
  if (entry.login === 'in' && answer.body['message'] !== 'session not connected') expectStatus(answer, 200);
}

/** Nobody has answered, or the session is not yet back. */
const isInDoubt = (answer: Answer | undefined): boolean =>
  answer === undefined || answer.body['message'] === 'session not connected';

async function setWebhook(parts: ClientParts, entry: Entry): Promise<void> {
  const webhook = parts.chance() < 0.3 ? off : someWebhook(parts.chance);
  const sending = (): void => void entry.webhooks.push(webhook);
  const answer = await command(parts, 'PUT', '/session/webhook', { headers: entry.headers, body: webhook, sending });
  if (answer === undefined) return;
  expectStatus(answer, 200);
  entry.webhooks = [webhook];
}

async function reset(parts: ClientParts, entry: Entry): Promise<void> {
  const sending = (): void => loseLogin(entry);
  const answer = await command(parts, 'POST', '/session/reset', { headers: entry.headers, body: {}, sending });
  if (answer === undefined) return;
  expectStatus(answer, 200);
  entry.login = 'out';
}

/** On the phone, where all the account's logins are listed; each client's account has one. */
async function removeDevice({ sandbox, person }: ClientParts, entry: Entry): Promise<void> {
  loseLogin(entry);
  await sandbox.call('DELETE', `/accounts/${person.userId}/devices`);
}

async function remove(parts: ClientParts, entry: Entry): Promise<void> {
  const sending = (): void => {
    entry.deleted = 'maybe';
  };
  const answer = await command(parts, 'DELETE', '/session', { headers: entry.headers, sending });
  if (answer === undefined) return;
  expectStatus(answer, 200);
  entry.deleted = 'yes';
}

function loseLogin(entry: Entry): void {
  entry.login = 'unknown';
  entry.isScanned = false;
}

async function command(
  { wire, ledger }: ClientParts,
  method: string,
  path: string,
  options: WireOptions,
): Promise<Answer | undefined> {
  const answer = await wire.request(method, path, options);
  if (answer === undefined) ledger.unanswered += 1;
  else ledger.answered += 1;
  return answer;
}

const someWebhook = (chance: () => number): Webhook => ({
  url: `https://hook.example/${Math.floor(chance() * 2 ** 32)}`,
  token: `token ${Math.floor(chance() * 2 ** 32)}`,
});

function expectStatus({ status, body }: Answer, expected: number, message?: string): void {
  if (status === expected && (message === undefined || body['message'] === message)) return;
  throw new Error(`expected ${expected} ${message ?? ''}, got ${status} ${JSON.stringify(body)}`);
}

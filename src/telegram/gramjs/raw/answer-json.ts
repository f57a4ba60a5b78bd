import bigInt from 'big-integer';
import type { Json } from '../../../../actors/ports/event-store.ts';
import { serviceAccounts } from '../../port/service-accounts.ts';
import { constructorNumbered, type Definition } from './schema.ts';

type Properties = Readonly<Record<string, unknown>>;
type Written = Record<string, Json>;

/**
 * An answer of Telegram as JSON: published names, `_` for the constructor, bytes as base64, 64-bit integers as texts.
 * Optional fields that are not there are left out. Messages of Telegram's own accounts, which send login codes, are
 * emptied, wherever they are.
 */
export function answerJson(answer: unknown): Json {
  if (Array.isArray(answer)) return answer.map(answerJson);
  if (Buffer.isBuffer(answer)) return answer.toString('base64');
  if (bigInt.isInstance(answer)) return answer.toString();
  if (typeof answer !== 'object' || answer === null) return answer as Json;
  const { CONSTRUCTOR_ID: number } = answer as { CONSTRUCTOR_ID?: unknown };
  const definition = typeof number === 'number' ? constructorNumbered(number) : undefined;
  if (definition === undefined) throw new TypeError('an answer has an object that the schema does not have');
  return withoutCodes(write(definition, answer as Properties));
}

function write({ name, fields }: Definition, object: Properties): Written {
  const written: Written = { _: name };
  for (const field of fields) {
    const value = object[field.property];
    const isAbsent = value === undefined || value === null || (field.type === 'true' && value !== true);
    if (!isAbsent || field.bit === undefined) written[field.name] = answerJson(value ?? null);
  }
  return written;
}

/** Nothing that Telegram's own accounts wrote is passed on, forwarded or quoted either. */
function withoutCodes(written: Written): Written {
  switch (written['_']) {
    case 'message':
    case 'messageService':
      return isOfService(written) ? { _: 'messageEmpty', ...pick(written, 'id', 'peer_id') } : written;
    case 'updateShortMessage':
      return isServiceId(written['user_id']) || isForwarded(written) ? emptied(written) : written;
    case 'updateShortChatMessage':
      return isServiceId(written['from_id']) || isForwarded(written) ? emptied(written) : written;
    // Telegram shows these as messages of 777000.
    case 'updateServiceNotification':
      return { ...emptied(written), media: { _: 'messageMediaEmpty' } };
    default:
      return written;
  }
}

function isOfService(message: Written): boolean {
  return ['peer_id', 'from_id', 'saved_peer_id'].some((name) => isServicePeer(message[name])) || isForwarded(message);
}

/** Forwarded from them, or a reply that quotes them. */
function isForwarded({ fwd_from: forward, reply_to: reply }: Written): boolean {
  const { reply_from: quoted, reply_to_peer_id: chat } = asWritten(reply);
  if (isServicePeer(chat)) return true;
  return [forward, quoted].some((header) =>
    ['from_id', 'saved_from_peer', 'saved_from_id'].some((name) => isServicePeer(asWritten(header)[name])),
  );
}

const emptied = (written: Written): Written => {
  const { entities: _entities, fwd_from: _forward, reply_to: _reply, ...rest } = written;
  return { ...rest, message: '', ...(written['_'] === 'updateServiceNotification' && { entities: [] }) };
};

function pick(written: Written, ...names: string[]): Written {
  return Object.fromEntries(names.flatMap((name) => (written[name] === undefined ? [] : [[name, written[name]]])));
}

const isServiceId = (id: Json | undefined): boolean => typeof id === 'string' && serviceAccounts.has(id);
const isServicePeer = (peer: Json | undefined): boolean => isServiceId(asWritten(peer)['user_id']);
const asWritten = (value: Json | undefined): Written => Object(value) as Written;

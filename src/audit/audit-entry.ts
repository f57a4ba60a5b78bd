import type { Json } from '../../actors/ports/event-store.ts';
import type { Sealed } from '../../actors/ports/sealer.ts';
import { authors, type SessionFact } from '../../actors/session/events.ts';
import type { RecordedSessionEvent } from '../../actors/session/session-codec.ts';
import type { SessionNames } from '../../actors/session/session-settings.ts';
import { factOf } from '../../actors/session/transition-event.ts';
import { proxyAddress } from '../telegram/port/proxy-url.ts';
import type { AuditEntry } from './audit-entry-schema.ts';

/** Who caused an event, without the name of a key, which its owner chose. */
export const withoutKeyName = (author: string): string => (authors.some((name) => name === author) ? author : 'key');

/** Opens a sealed text; undefined if its key is destroyed. */
export type Reveal = (sealed: Sealed) => Promise<string | undefined>;

/**
 * An event without its secrets: it never holds QR links, tokens or the hash of the caller's secret. Personal data
 * (names, numbers, hints) is included only with `reveal`.
 */
export async function auditEntry(event: RecordedSessionEvent, reveal?: Reveal): Promise<AuditEntry> {
  const { at, from, to, since, reason, deadlines, lateMs, author, by: node } = event.metadata;
  const fact = factOf(event);
  return {
    seq: event.revision + 1,
    type: event.type,
    created: iso(at),
    state: to,
    reason,
    data: {
      from,
      since: iso(since),
      deadlines: deadlines.map(({ fact: type, dueAt }) => ({ type, due: iso(dueAt) })),
      ...('login' in fact && { login: fact.login }),
      ...(lateMs !== undefined && { lateMs }),
      ...(author !== undefined && { by: author }),
      ...(author === 'gateway' && { node }),
      ...details(fact),
      ...(reveal === undefined ? {} : await personalDetails(fact, reveal)),
    },
  };
}

function details(fact: SessionFact): Record<string, Json> {
  switch (fact.type) {
    case 'QrIssued':
      return { expires: iso(fact.expires) };
    case 'CodeSent':
      return { to: fact.to, number: fact.number };
    case 'SessionCreated':
      return {
        ...namesOf(fact),
        ...webhookState(fact),
        ...(fact.tenant !== undefined && { tenant: fact.tenant }),
      };
    case 'SessionReset':
      return webhookState(fact);
    case 'PaceSet':
      return { pace: fact.pace === null ? null : { ...fact.pace } };
    case 'SessionRenamed':
      return namesOf(fact);
    case 'WebhookSet':
      return {
        hasWebhook: fact.webhook !== null,
        ...(fact.slot !== undefined && { slot: fact.slot }),
        ...(fact.reason !== undefined && { reason: fact.reason }),
      };
    case 'ProxySet':
      return { hasProxy: fact.url !== null };
    case 'ConnectionLost':
    case 'ProxyFailed':
    case 'LoginLost':
    case 'BotLoginLost':
    case 'LoginRefused':
    case 'UpdatesLost':
    case 'AccountFrozen':
      return { reason: fact.reason };
    case 'LoginExported':
    case 'LoginImported':
      return { format: fact.format };
    case 'OwnerChanged':
      return { epoch: fact.epoch };
    case 'MethodCalled':
      return { method: fact.method, by: fact.by };
    default:
      return {};
  }
}

const webhookState = ({ webhook }: { webhook?: object | null }): Record<string, Json> =>
  webhook === undefined ? {} : { hasWebhook: webhook !== null };

/** An empty name was taken away. */
const namesOf = ({ externalId, label }: SessionNames): Record<string, Json> => ({
  ...(externalId !== undefined && { externalId }),
  ...(label !== undefined && { label }),
});

async function personalDetails(fact: SessionFact, reveal: Reveal): Promise<Record<string, Json>> {
  switch (fact.type) {
    case 'CodeSent':
      return present('phone', await reveal(fact.phone));
    case 'PasswordRequested':
      return present('passwordHint', await reveal(fact.hint));
    case 'LoggedIn':
    case 'LoginImported':
    case 'AccountChanged':
      return present('account', await revealJson(fact.account, reveal));
    case 'SessionCreated':
    case 'SessionReset':
      return {
        ...present('name', fact.name && (await reveal(fact.name))),
        ...present('metadata', fact.metadata && (await revealJson(fact.metadata, reveal))),
        ...present('webhookUrl', fact.webhook && (await reveal(fact.webhook.url))),
      };
    case 'WebhookSet':
      return present('webhookUrl', fact.webhook && (await reveal(fact.webhook.url)));
    case 'ProxySet':
      return present('proxy', fact.url && addressOf(await reveal(fact.url)));
    default:
      return {};
  }
}

async function revealJson(sealed: Sealed, reveal: Reveal): Promise<Json | undefined> {
  const text = await reveal(sealed);
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}

const addressOf = (url: string | undefined): string | undefined => url && proxyAddress(url);

const present = (name: string, value: Json | undefined): Record<string, Json> =>
  value === undefined || value === null ? {} : { [name]: value };

const iso = (ms: number): string => new Date(ms).toISOString();

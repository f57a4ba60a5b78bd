import type { Sealed, Sealer } from '../ports/sealer.ts';
import type { Account, TelegramFact } from '../ports/telegram-session.ts';
import type { SealedWebhook, SessionFact } from './events.ts';
import type { SessionSettings, Webhook } from './session-settings.ts';

/** The facts with personal data, which are sealed before they are recorded (SE11). */
type PersonalFact = Extract<
  TelegramFact,
  { link: string } | { phone: string } | { hint: string } | { account: Account }
>;

export function isPersonal(fact: TelegramFact): fact is PersonalFact {
  return 'link' in fact || 'phone' in fact || 'hint' in fact || 'account' in fact;
}

/** Seals a reported fact for the record. One without personal data stays as it is. */
export async function sealTelegramFact(
  sealer: Sealer,
  sessionId: string,
  eventId: string,
  fact: TelegramFact,
): Promise<SessionFact> {
  if (!isPersonal(fact)) return fact;
  const seal = (text: string): Promise<Sealed> => sealer.seal(sessionId, eventId, text);
  switch (fact.type) {
    case 'QrIssued':
      return { ...fact, link: await seal(fact.link) };
    case 'CodeSent':
      return { ...fact, phone: await seal(fact.phone) };
    case 'PasswordRequested':
      return { ...fact, hint: await seal(fact.hint) };
    case 'LoggedIn':
    case 'LoginImported':
    case 'AccountChanged':
      return { ...fact, account: await seal(JSON.stringify(fact.account)), picture: await seal(fact.picture) };
  }
}

export interface SealedSettings {
  name?: Sealed;
  metadata?: Sealed;
  webhook?: SealedWebhook | null;
}

/** Fields that are left out stay left out. */
export async function sealSettings(
  sealer: Sealer,
  sessionId: string,
  eventId: string,
  { name, metadata, webhook }: SessionSettings,
): Promise<SealedSettings> {
  const sealed: SealedSettings = {};
  if (name !== undefined) sealed.name = await sealer.seal(sessionId, eventId, name);
  if (metadata !== undefined) sealed.metadata = await sealer.seal(sessionId, eventId, JSON.stringify(metadata));
  if (webhook !== undefined) sealed.webhook = await sealWebhook(sealer, sessionId, eventId, webhook);
  return sealed;
}

/** @param url of the proxy; null: there is none any more */
export async function sealProxy(
  sealer: Sealer,
  sessionId: string,
  eventId: string,
  url: string | null,
): Promise<SessionFact & { type: 'ProxySet' }> {
  return { type: 'ProxySet', url: url === null ? null : await sealer.seal(sessionId, eventId, url) };
}

export async function sealWebhook(
  sealer: Sealer,
  sessionId: string,
  eventId: string,
  webhook: Webhook | null,
): Promise<SealedWebhook | null> {
  if (webhook === null) return null;
  const { url, token, events, chats } = webhook;
  const seal = (text: string): Promise<Sealed> => sealer.seal(sessionId, eventId, text);
  return {
    url: await seal(url),
    token: await seal(token),
    ...(events && { events: [...events] }),
    ...(typeof chats === 'string' && { chats }),
    ...(typeof chats === 'object' && { chatIds: await seal(JSON.stringify(chats)) }),
  };
}

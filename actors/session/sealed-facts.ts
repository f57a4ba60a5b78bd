import type { Sealed, Sealer } from '../ports/sealer.ts';
import type { Account, TelegramFact } from '../ports/telegram-session.ts';
import type { SealedWebhook, SessionFact } from './events.ts';
import type { SessionSettings, Webhook } from './session-settings.ts';

/** The facts with personal data, which are sealed before they are recorded (SE11). */
export type PersonalFact = Extract<TelegramFact, { link: string } | { hint: string } | { account: Account }>;

export function isPersonal(fact: TelegramFact): fact is PersonalFact {
  return 'link' in fact || 'hint' in fact || 'account' in fact;
}

/** Seals a reported fact for the record. */
export async function sealTelegramFact(
  sealer: Sealer,
  sessionId: string,
  eventId: string,
  fact: PersonalFact,
): Promise<SessionFact> {
  const seal = (text: string): Promise<Sealed> => sealer.seal(sessionId, eventId, text);
  switch (fact.type) {
    case 'QrIssued':
      return { ...fact, link: await seal(fact.link) };
    case 'PasswordRequested':
      return { ...fact, hint: await seal(fact.hint) };
    case 'LoggedIn':
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

export async function sealWebhook(
  sealer: Sealer,
  sessionId: string,
  eventId: string,
  webhook: Webhook | null,
): Promise<SealedWebhook | null> {
  if (webhook === null) return null;
  return {
    url: await sealer.seal(sessionId, eventId, webhook.url),
    token: await sealer.seal(sessionId, eventId, webhook.token),
  };
}

import type { Sealer } from '../../ports/sealer.ts';
import type { LoginRequest, TelegramFact } from '../../ports/telegram-session.ts';
import type { SessionFact } from '../../session/events.ts';
import { sealSettings, sealTelegramFact } from '../../session/sealed-facts.ts';
import type { CreationSettings, SessionNames } from '../../session/session-settings.ts';

interface Creation {
  /** ID of the session. */
  id: string;
  /** ID of its first event. */
  eventId: string;
  /** SHA-256, hex. */
  secretHash: string;
  settings: CreationSettings;
  /** What Telegram has said of a login that was tried first. */
  loggedIn: TelegramFact | undefined;
}

/** The first facts of a session, sealed. */
export async function creationFacts(
  sealer: Sealer,
  { id, eventId, secretHash, settings: { tenant, ...settings }, loggedIn }: Creation,
): Promise<SessionFact | SessionFact[]> {
  const { webhook, ...rest } = await sealSettings(sealer, id, eventId, settings);
  const created: SessionFact = {
    type: 'SessionCreated',
    secretHash,
    ...rest,
    ...(webhook && { webhook }),
    ...filled(settings),
    ...(tenant !== undefined && { tenant }),
  };
  return loggedIn === undefined ? created : [created, await sealTelegramFact(sealer, id, eventId, loggedIn)];
}

/** Names that are not empty. */
const filled = ({ externalId, label }: SessionNames): SessionNames => ({
  ...(externalId ? { externalId } : {}),
  ...(label ? { label } : {}),
});

/** Whether the login is taken over from another program (LG2). */
export const isImport = (login: LoginRequest | undefined): boolean => login !== undefined && 'string' in login;

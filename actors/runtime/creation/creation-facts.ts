import type { Sealer } from '../../ports/sealer.ts';
import type { LoginRequest, TelegramFact } from '../../ports/telegram-session.ts';
import type { SessionFact } from '../../session/events.ts';
import { sealProxy, sealSettings, sealTelegramFact } from '../../session/sealed-facts.ts';
import type { CreationSettings, SessionNames } from '../../session/session-settings.ts';
import type { CommandOrigin } from '../sessions.ts';

/** The number of a session's first login attempt. */
export const firstLogin = 1;

/** What a session is created with. */
export interface NewSession {
  settings: CreationSettings;
  origin: CommandOrigin | undefined;
  login: LoginRequest | undefined;
  /** URL of its proxy. */
  proxy: string | undefined;
}

interface Creation {
  /** ID of the session. */
  id: string;
  /** ID of its first event. */
  eventId: string;
  /** SHA-256, hex. */
  secretHash: string;
  settings: CreationSettings;
  /** URL of its proxy. */
  proxy: string | undefined;
  /** What Telegram has said of a login that was tried first. */
  loggedIn: TelegramFact | undefined;
}

/** The first facts of a session, sealed. */
export async function creationFacts(
  sealer: Sealer,
  { id, eventId, secretHash, settings: { tenant, key, ...settings }, proxy, loggedIn }: Creation,
): Promise<SessionFact[]> {
  const { webhook, ...rest } = await sealSettings(sealer, id, eventId, settings);
  const created: SessionFact = {
    type: 'SessionCreated',
    secretHash,
    ...rest,
    ...(webhook && { webhook }),
    ...filled(settings),
    ...(tenant !== undefined && { tenant }),
    ...(key !== undefined && { key }),
  };
  const facts: SessionFact[] = [created];
  if (proxy !== undefined) facts.push(await sealProxy(sealer, id, eventId, proxy));
  if (loggedIn !== undefined) facts.push(await sealTelegramFact(sealer, id, eventId, loggedIn));
  return facts;
}

/** Names that are not empty. */
const filled = ({ externalId, label }: SessionNames): SessionNames => ({
  ...(externalId ? { externalId } : {}),
  ...(label ? { label } : {}),
});

/** Whether the login is taken over from another program (LG2). */
export const isImport = (login: LoginRequest | undefined): boolean => login !== undefined && 'string' in login;

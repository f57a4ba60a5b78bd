import type { Sealer } from '../../ports/sealer.ts';
import type { TelegramFact } from '../../ports/telegram-session.ts';
import type { SessionFact } from '../../session/events.ts';
import { isPersonal, sealTelegramFact } from '../../session/sealed-facts.ts';
import type { SupervisedSession } from '../supervised-session.ts';

interface ReportDeps {
  sealer: Sealer;
  recordAfterEnd: (id: string, fact: SessionFact) => Promise<void>;
}

/** Has a session's actor record what its connection reports. What is personal is sealed before. */
export async function reportFact(
  { sealer, recordAfterEnd }: ReportDeps,
  session: SupervisedSession,
  fact: TelegramFact,
): Promise<void> {
  const seal = (id: string): Promise<SessionFact> => sealTelegramFact(sealer, session.id, id, fact);
  if (session.actor?.state === undefined) await session.creation;
  const options = { patient: true, author: 'telegram' };
  if (session.actor !== undefined) await session.actor.send(isPersonal(fact) ? seal : fact, options);
  else if (fact.type === 'LoggedOut') await recordAfterEnd(session.id, fact);
}

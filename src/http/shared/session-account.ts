import type { Sealed, Sealer } from '../../../actors/ports/sealer.ts';
import type { Account } from '../../../actors/ports/telegram-session.ts';
import { maxFormerAccounts, type SessionAccount, type SessionView } from '../../../projections/session-view.ts';

/** The account of a session, or the last one if it has none at the moment. Its ID is empty before the first login. */
export async function sessionAccount(view: SessionView, sealer: Pick<Sealer, 'open'>): Promise<SessionAccount> {
  const idOf = async (sealed: Sealed): Promise<string> => {
    const text = await sealer.open(view.id, sealed);
    return text === undefined ? '' : (JSON.parse(text) as Account).id;
  };
  const { account, formerAccounts: former = [] } = view;
  if (account === undefined) return { id: '', isFirst: false, isOnly: false };
  const [id, ...formerIds] = await Promise.all([idOf(account), ...former.map(idOf)]);
  const [firstId = id] = formerIds;
  const isFirst = firstId === id;
  return { id, isFirst, isOnly: former.length < maxFormerAccounts && formerIds.every((formerId) => formerId === id) };
}

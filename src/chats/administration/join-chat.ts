import { withAnswerTimeout } from '../../errors/answer-timeout.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { type Recipient, readRecipient } from '../../recipients/recipient.ts';
import { resolveOpenRecipient } from '../../recipients/resolve-recipient.ts';
import type { WayIn } from '../../telegram/port/administration.ts';
import type { AdministrationDeps } from './administration.ts';

/** Links with a secret (https://core.telegram.org/api/links#chat-invite-links). */
const invitePatterns = [
  /^(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me)\/(?:\+|joinchat\/)([\w-]+)\/?(?:[?#].*)?$/i,
  /^tg:\/\/join\/?\?(?:[^#]*&)?invite=([\w-]+)/i,
];

/**
 * Joins by an invite link, a public link or a username. The account may be in it already.
 * @returns its ID; empty if an administrator has to let the account in first
 * @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError}
 */
export function joinChat({ service, kind }: AdministrationDeps, link: string): Promise<string> {
  const { account, clock } = service;
  const hash = inviteHash(link.trim());
  const named = hash === undefined ? publicName(link) : undefined;
  return withAnswerTimeout(
    clock,
    async (signal) => {
      const way: WayIn =
        named === undefined
          ? { by: 'link', hash: hash ?? '' }
          : { by: 'name', peer: await resolveOpenRecipient(account, named, signal) };
      const joined = await account.administration.join(kind, way, signal);
      if (joined === 'other-kind') throw new GatewayError(400, `${kind} not found`);
      return joined === 'requested' ? '' : joined.id;
    },
    account.ended,
  );
}

function inviteHash(link: string): string | undefined {
  return invitePatterns.map((pattern) => pattern.exec(link)?.[1]).find((hash) => hash !== undefined);
}

/** @throws {GatewayError} 400: it is no link of Telegram */
const publicName = (link: string): Recipient => readRecipient({ username: link }, 'invalid chat');

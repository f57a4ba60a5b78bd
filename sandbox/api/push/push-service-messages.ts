import { devicesOf } from '../../world/logins/logins.ts';
import { deviceName, loginCodeText, newLoginText, type ServiceText } from '../../world/logins/service-texts.ts';
import { telegramId } from '../../world/logins/telegram-account.ts';
import { placeMessage } from '../../world/messages/send-message.ts';
import { userPeer } from '../../world/state/peer.ts';
import type { LoginRow, UserRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';
import { tlUpdates } from '../objects/tl-update.ts';
import { pushUpdates } from './push-updates.ts';

/** Writes to the account from Telegram's own one. */
function writeFromTelegram(world: World, userId: number, { text, entities }: ServiceText): void {
  pushUpdates(world, placeMessage(world, telegramId, userPeer(userId), { text, entities }).updates);
}

/** Shows the account's devices a login code. */
export function pushLoginCode(world: World, userId: number, code: string): void {
  writeFromTelegram(world, userId, loginCodeText(code));
}

/**
 * Tells the other devices of an account about a new login: `updateNewAuthorization`, and a message of 777000. An account
 * without another device gets no message. The sandbox's phone does not count as a device.
 */
export function announceLogin(world: World, user: UserRow, login: LoginRow): void {
  const others = devicesOf(world, user.id).filter(({ hash }) => hash !== login.hash);
  if (user.bot || others.length === 0) return;
  const update = {
    _: 'updateNewAuthorization',
    unconfirmed: true,
    hash: BigInt(login.hash),
    date: login.created,
    device: deviceName(login),
    location: 'Loopback',
  };
  const updates = tlUpdates(world, [update], { users: [], chats: [] });
  world.flush();
  world.protocol?.push(
    others.map(({ keyId }) => keyId),
    updates,
  );
  writeFromTelegram(world, user.id, newLoginText(user, login));
}

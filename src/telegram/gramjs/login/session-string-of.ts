import { isIPv4 } from 'node:net';
import type { StringFormat } from '../../../../actors/ports/telegram-session.ts';
import type { TelegramNetwork } from '../../connection/network.ts';
import { NotConnectedError } from '../../port/errors.ts';
import { writeSessionString } from '../../session-strings/write-session-string.ts';
import type { LoginTask } from './login-task.ts';

/**
 * The login of a task as a session string, with an address that the gateway knew from the start.
 * @throws {NotConnectedError} it is not complete
 */
export function sessionStringOf(network: TelegramNetwork, { session }: LoginTask, format: StringFormat): string {
  if (session?.stage !== 'complete') throw new NotConnectedError('there is no login to export');
  const { dc, keys, account, isBot = false } = session.snapshot();
  const key = keys.get(dc);
  if (key === undefined || account === undefined) throw new NotConnectedError('the login is not complete');
  const addresses = network.dcs.filter(({ id }) => id === dc);
  const { host = '', port = 443 } = addresses.find((address) => isIPv4(address.host)) ?? addresses[0] ?? {};
  const { apiId, isTest = false } = network;
  return writeSessionString(format, { dc, key, host, port, apiId, isTest, userId: BigInt(account.id), isBot });
}

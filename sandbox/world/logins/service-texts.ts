import type { TlObject } from '../../rpc.ts';
import type { LoginRow, UserRow } from '../state/rows.ts';

/** A text of Telegram's own account, 777000, and its bold parts. */
export interface ServiceText {
  text: string;
  entities: TlObject[];
}

/** What the app shows when somebody asks for a code. */
export function loginCodeText(code: string): ServiceText {
  const text =
    `Login code: ${code}. Do not give this code to anyone, even if they say they are from Telegram!\n\n` +
    '❗️This code can be used to log in to your Telegram account. We never ask it for anything else.\n\n' +
    "If you didn't request this code by trying to log in on another device, simply ignore this message.";
  return withBold(text, ['Login code:', 'not']);
}

/** What the other devices of an account are told about a new one. */
export function newLoginText(user: UserRow, login: LoginRow): ServiceText {
  const time = new Date(login.created * 1000).toISOString();
  const [year, month, day] = time.slice(0, 10).split('-');
  const text =
    `New login. Dear ${user.firstName}, we detected a login into your account from a new device on ` +
    `${day}/${month}/${year} at ${time.slice(11, 19)} UTC.\n\n` +
    `Device: ${deviceName(login)}\nLocation: Loopback (IP = 127.0.0.1)\n\n` +
    "If this wasn't you, you can terminate that session in Settings > Devices (or Privacy & Security > Active " +
    'Sessions).\n\nIf you think that somebody logged in to your account against your will, you can enable Two-Step ' +
    'Verification in Privacy and Security settings.';
  return withBold(text, ['New login.', 'Settings > Devices', 'Privacy & Security > Active Sessions']);
}

/** Application, model and system, as far as the client has named them. */
export function deviceName({ appVersion, model, systemVersion }: LoginRow): string {
  return [`Sandbox app ${appVersion}`.trim(), model, systemVersion].filter(Boolean).join(', ');
}

function withBold(text: string, parts: readonly string[]): ServiceText {
  const entities = parts.flatMap((part) => {
    const offset = text.indexOf(part);
    return offset < 0 ? [] : [{ _: 'messageEntityBold', offset, length: part.length }];
  });
  return { text, entities: entities.toSorted((a, b) => a.offset - b.offset) };
}

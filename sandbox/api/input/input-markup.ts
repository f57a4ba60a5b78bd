import { RpcError, type TlObject } from '../../rpc.ts';
import type { Caller } from '../method.ts';

/** https://core.telegram.org/api/bots/buttons */
const maxDataBytes = 64;
const maxButtons = 300;

/**
 * Reads a bot's keyboard. Users have none: theirs is ignored.
 * @throws {RpcError} 400 REPLY_MARKUP_INVALID, REPLY_MARKUP_TOO_LONG, BUTTON_DATA_INVALID, BUTTON_URL_INVALID
 */
export function inputMarkup({ me }: Caller, markup: TlObject | undefined): TlObject | undefined {
  if (!me.bot || !markup) return undefined;
  const buttons = buttonsOf(markup);
  if (markup._.endsWith('Markup') && buttons.length === 0) throw new RpcError(400, 'REPLY_MARKUP_INVALID');
  if (buttons.length > maxButtons) throw new RpcError(400, 'REPLY_MARKUP_TOO_LONG');
  for (const button of buttons) {
    const data = button['data'] as Buffer | undefined;
    if (data && (data.length === 0 || data.length > maxDataBytes)) throw new RpcError(400, 'BUTTON_DATA_INVALID');
    if (button['url'] !== undefined && !isUrl(button['url'] as string)) throw new RpcError(400, 'BUTTON_URL_INVALID');
  }
  return markup;
}

/** All buttons of a keyboard. */
export const buttonsOf = (markup: TlObject | undefined): TlObject[] =>
  ((markup?.['rows'] ?? []) as TlObject[]).flatMap((row) => row['buttons'] as TlObject[]);

function isUrl(text: string): boolean {
  return URL.canParse(text) && /^(?:https?|tg|ton):/.test(text);
}

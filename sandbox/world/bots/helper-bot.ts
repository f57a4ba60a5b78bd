import type { TlObject } from '../../rpc.ts';
import type { MessageDraft } from '../messages/send-message.ts';
import type { CallbackAnswer } from './callback-queries.ts';

/** @helperbot: it answers by itself unless a client is logged in as it. */
export const helperBotId = 1004;

const callback = (text: string, data: string): TlObject => ({
  _: 'keyboardButtonCallback',
  text,
  data: Buffer.from(data),
});
const row = (...buttons: TlObject[]): TlObject => ({ _: 'keyboardButtonRow', buttons });
const key = (text: string): TlObject => ({ _: 'keyboardButton', text });

const replies: Readonly<Record<string, MessageDraft>> = {
  '/buttons': {
    text: 'Press a button.',
    markup: {
      _: 'replyInlineMarkup',
      rows: [
        row(callback('Alert', 'alert'), callback('Text', 'text')),
        row(callback('Link', 'link'), callback('No answer', 'silence')),
        row({ _: 'keyboardButtonUrl', text: 'Open example.com', url: 'https://example.com/' }),
      ],
    },
  },
  '/keyboard': {
    text: 'Choose.',
    markup: { _: 'replyKeyboardMarkup', resize: true, rows: [row(key('Yes'), key('No')), row(key('Perhaps'))] },
  },
  '/hide': { text: 'The keyboard is hidden.', markup: { _: 'replyKeyboardHide' } },
};

/** What the bot writes back; undefined if it only listens. */
export const helperReply = (text: string): MessageDraft | undefined => replies[text.trim()];

/** What the bot says when a button is pressed; undefined if it says nothing. */
export const helperAnswers: Readonly<Record<string, CallbackAnswer>> = {
  alert: { alert: true, message: 'This is an alert.' },
  text: { message: 'This is a notice.', cacheTime: 60 },
  link: { url: 'https://example.com/pressed' },
};

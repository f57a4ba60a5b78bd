import type { ChatDoc, MessageDoc } from '../../api/types.ts';

const typeNames: Record<Exclude<MessageDoc['type'], 'text'>, string> = {
  image: 'Photo',
  video: 'Video',
  sticker: 'Sticker',
  audio: 'Audio',
  voice: 'Voice message',
  document: 'File',
  poll: 'Poll',
  location: 'Location',
  contact: 'Contact',
};

/** What a message holds, in one line: its text, or what it is. */
export function messageSummary(message: MessageDoc): string {
  const { type, text } = message;
  if (type === 'text') return text;
  const name = message.document?.name ?? message.polling?.name ?? message.contact?.name ?? '';
  return [typeNames[type] ?? 'Message', text === '' ? name : text].filter((part) => part !== '').join(': ');
}

/** The author's name. In a private chat `user` is always the other side, so `fromMe` decides. */
export function senderName({ fromMe, user }: MessageDoc, { kind, name }: Pick<ChatDoc, 'kind' | 'name'>): string {
  if (fromMe) return 'You';
  return (kind === 'group' && user.name) || name;
}

/** A line of the list: who wrote, if that is not the chat itself, and what. */
export function lastLine(chat: ChatDoc): string {
  const { last, kind } = chat;
  if (last === null) return '';
  const isNamed = last.fromMe || kind === 'group';
  return `${isNamed ? `${senderName(last, chat).split(' ')[0]}: ` : ''}${messageSummary(last)}`;
}

import type { MessageDoc } from '../api/types.ts';

/** The messages of one day. */
export interface DayOfMessages {
  /** The local date, as a key. */
  day: string;
  /** When the first of them was sent, ISO 8601. */
  created: string;
  messages: ShownMessage[];
}

interface ShownMessage {
  message: MessageDoc;
  /** The message before it is of another sender, or of another day. */
  isFirstOfSender: boolean;
}

/** Separates messages by local day. @param messages oldest first */
export function groupByDay(messages: readonly MessageDoc[]): DayOfMessages[] {
  const days: DayOfMessages[] = [];
  let sender = '';
  for (const message of messages) {
    const day = new Date(message.created).toDateString();
    let current = days.at(-1);
    const ownSender = message.fromMe ? 'me' : message.user.id;
    const isSameDay = current?.day === day;
    if (current === undefined || !isSameDay) {
      current = { day, created: message.created, messages: [] };
      days.push(current);
    }
    current.messages.push({ message, isFirstOfSender: !isSameDay || sender !== ownSender });
    sender = ownSender;
  }
  return days;
}

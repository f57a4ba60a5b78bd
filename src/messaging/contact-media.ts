import type { OutgoingMedia } from '../telegram/port/outgoing.ts';
import type { Content } from './content.ts';

/** The first word is the first name, the rest the last name (MS5). */
export function contactMedia({ name, phone }: Extract<Content, { type: 'contact' }>): OutgoingMedia {
  const [firstName = '', ...rest] = name.trim().split(/\s+/);
  return { kind: 'contact', phone: phone.trim(), firstName, lastName: rest.join(' ') };
}

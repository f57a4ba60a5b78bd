/** One message of the open chat, with what can be done with it. */

import { element, mediaElement } from './media.js';

const offered = ['👍', '❤', '🔥', '🎉'];

export const previewText = ({ text, media, service }) =>
  service ? service.replace('messageAction', '') : [media && `[${media.kind}]`, text].filter(Boolean).join(' ');

/** `actions`: what a click does. `file` is the URL of the message's file, `quoted` the message that it replies to. */
export function messageRow(message, { file, quoted, actions }) {
  const { out, from, date, service, edited, silent, pinned, forwarded, text, media } = message;
  const row = element('li', '', [out && 'out', service && 'service'].filter(Boolean).join(' '));
  const time = new Date(date).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' });
  const notes = [!out && from?.name, time, edited && 'edited', silent && 'silent', pinned && '📌 pinned'];
  row.append(element('small', notes.filter(Boolean).join(' · ')));
  if (forwarded) row.append(element('small', `Forwarded from ${forwarded}`, 'forwarded'));
  if (quoted) row.append(element('blockquote', previewText(quoted).slice(0, 120)));
  if (media) row.append(mediaElement(media, file, (answer) => actions.vote(message, answer)));
  row.append(element('span', service ? previewText({ service }) : text));
  if (service) return row;
  row.append(reactions(message, actions), toolbar(message, actions));
  return row;
}

function reactions(message, { react }) {
  const list = element('span', '', 'reactions');
  for (const { reaction, count, own } of message.reactions) {
    const button = element('button', `${reaction} ${count}`, own ? 'own' : '');
    button.type = 'button';
    button.setAttribute('aria-label', `${reaction}, ${count}${own ? ', take back' : ''}`);
    button.addEventListener('click', () => react(message, own ? '' : reaction));
    list.append(button);
  }
  return list;
}

/** Shown while the pointer or the focus is in the message. */
function toolbar(message, { react, reply, edit, remove }) {
  const bar = element('span', '', 'actions');
  const subject = previewText(message).slice(0, 40);
  const add = (label, name, onClick) => {
    const button = element('button', label, 'plain');
    button.type = 'button';
    button.setAttribute('aria-label', `${name}: ${subject}`);
    button.title = name;
    button.addEventListener('click', onClick);
    bar.append(button);
  };
  for (const reaction of offered) add(reaction, `React with ${reaction}`, () => react(message, reaction));
  add('↩', 'Reply', () => reply(message));
  if (message.out && !message.media) add('✎', 'Edit', () => edit(message));
  if (message.out) add('✕', 'Delete', () => remove(message));
  return bar;
}

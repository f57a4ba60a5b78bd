import type { MediaLink, MessageData } from '../gateway/envelope.ts';

/** What an agent reads of a message: its text, or what the message is in words. */
export function contentOf({ text, location, contact, polling }: MessageData): string {
  const parts = [text];
  if (location !== undefined) {
    const { name, address, latitude, longitude } = location;
    parts.push(
      ['Location:', [name, address].filter((part) => part !== '').join(', '), `${latitude}, ${longitude}`]
        .filter(Boolean)
        .join(' '),
    );
  }
  if (contact !== undefined) parts.push(`Contact: ${contact.name}, ${contact.phone}`);
  if (polling !== undefined)
    parts.push([`Poll: ${polling.name}`, ...polling.options.map((option) => `- ${option}`)].join('\n'));
  return parts.filter((part) => part !== '').join('\n');
}

/** The file of a message, with a name that says what it is. */
export function mediaOf(data: MessageData): MediaLink | undefined {
  const { id, type, image, video, sticker, audio, voice, document } = data;
  const link = image ?? video ?? sticker ?? audio ?? voice ?? document;
  if (link === undefined || link.url === '') return undefined;
  const extension = /\.\w+$/.exec(new URL(link.url).pathname)?.[0] ?? '';
  return { ...link, name: link.name === undefined || link.name === '' ? `${type}-${id}${extension}` : link.name };
}

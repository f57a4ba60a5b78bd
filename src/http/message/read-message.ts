import type { Content, Message } from '../../messaging/content.ts';
import type { Status } from '../../messaging/post-status.ts';
import type { MessageBody } from './schemas.ts';

const textContent: Content = { type: 'text' };

/** The message of a valid body, without the fields that its type does not use. */
export function readMessage(body: MessageBody): Message {
  return {
    content: contentFrom(body),
    text: body.text ?? '',
    // Empty counts as missing.
    parseMode: body.parseMode || undefined,
    replyTo: body.replyTo ? Number(body.replyTo) : undefined,
    silent: body.silent,
  };
}

function contentFrom(body: MessageBody): Content {
  switch (body.type) {
    case 'text':
      return textContent;
    case 'image':
      return imageFrom(body);
    case 'video':
      return videoFrom(body);
    case 'audio': {
      const { url, mimetype, duration } = needed(body.audio);
      return { type: 'audio', url, mimetype, duration };
    }
    case 'document': {
      const { url, name, mimetype } = needed(body.document);
      return { type: 'document', url, name, mimetype };
    }
    case 'location': {
      const { latitude, longitude, name = '', address = '' } = needed(body.location);
      return { type: 'location', latitude, longitude, name, address };
    }
    case 'contact': {
      const { name, phone } = needed(body.contact);
      return { type: 'contact', name, phone };
    }
  }
}

export function imageFrom({ image }: Pick<MessageBody, 'image'>): Status['content'] {
  return { type: 'image', url: needed(image).url };
}

export function videoFrom({ video }: Pick<MessageBody, 'video'>): Status['content'] {
  const { url, mimetype, duration, thumbnail } = needed(video);
  return { type: 'video', url, mimetype, duration, thumbnail: thumbnail || undefined };
}

/** The object that a type needs. The schema has refused a body without it. */
function needed<T>(object: T | undefined): T {
  if (object === undefined) throw new Error('a body was let through without the object that its type needs');
  return object;
}

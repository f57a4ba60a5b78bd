import { GatewayError } from '../../errors/gateway-error.ts';
import type { MediaRequest } from '../../media/outgoing/prepare.ts';
import type { Content, Message } from '../../messaging/content.ts';
import type { Status } from '../../messaging/post-status.ts';
import { readTime } from '../audit/read-time.ts';
import { sourceOf } from './media-source.ts';
import { type AlbumItem, type MessageBody, topicIn } from './schemas.ts';

const textContent: Content = { type: 'text' };

/**
 * The message of a valid body, without the fields that its type does not use.
 * @throws {GatewayError} 400: `sendAt` is no time
 */
export function readMessage(body: MessageBody): Message {
  return {
    content: contentFrom(body),
    text: body.text ?? '',
    // Empty counts as missing.
    parseMode: body.parseMode || undefined,
    replyTo: body.replyTo ? Number(body.replyTo) : undefined,
    topic: topicIn(body),
    silent: body.silent,
    sendAt: sendAtOf(body),
  };
}

/** @throws {GatewayError} 400 */
function sendAtOf({ sendAt }: MessageBody): number | undefined {
  if (!sendAt) return undefined;
  const ms = readTime(sendAt);
  if (ms === undefined) throw new GatewayError(400, 'sendAt must be an ISO 8601 time with a zone');
  return ms;
}

function contentFrom(body: MessageBody): Content {
  switch (body.type) {
    case 'text':
      return textContent;
    case 'image':
      return imageFrom(body);
    case 'video':
      return videoFrom(body);
    case 'audio':
      return audioFrom(body);
    case 'document':
      return documentFrom(body);
    case 'voice':
    case 'videoNote':
    case 'animation':
    case 'sticker':
      return { type: body.type, ...sourceOf(needed(body[body.type])) };
    case 'poll': {
      const { question, options, multiple = false, quiz } = needed(body.poll);
      const { correct, explanation = '' } = quiz ?? {};
      return {
        type: 'poll',
        question,
        options,
        multiple,
        quiz: correct === undefined ? undefined : { correct, explanation },
      };
    }
    case 'album':
      return { type: 'album', items: needed(body.album).items.map(itemFrom) };
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

function itemFrom(item: AlbumItem): MediaRequest {
  switch (item.type) {
    case 'image':
      return imageFrom(item);
    case 'video':
      return videoFrom(item);
    case 'audio':
      return audioFrom(item);
    case 'document':
      return documentFrom(item);
  }
}

function audioFrom({ audio }: Pick<MessageBody, 'audio'>): MediaRequest {
  const given = needed(audio);
  const { mimetype, duration } = given;
  return { type: 'audio', ...sourceOf(given), mimetype, duration };
}

function documentFrom({ document }: Pick<MessageBody, 'document'>): MediaRequest {
  const given = needed(document);
  const { name, mimetype } = given;
  return { type: 'document', ...sourceOf(given), name, mimetype };
}

export function imageFrom({ image }: Pick<MessageBody, 'image'>): Status['content'] {
  return { type: 'image', ...sourceOf(needed(image)) };
}

export function videoFrom({ video }: Pick<MessageBody, 'video'>): Status['content'] {
  const given = needed(video);
  const { mimetype, duration, thumbnail } = given;
  return { type: 'video', ...sourceOf(given), mimetype, duration, thumbnail: thumbnail || undefined };
}

/** The object that a type needs. The schema has refused a body without it. */
function needed<T>(object: T | undefined): T {
  if (object === undefined) throw new Error('a body was let through without the object that its type needs');
  return object;
}

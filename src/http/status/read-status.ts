import type { Status } from '../../messaging/post-status.ts';
import { imageFrom, videoFrom } from '../message/read-message.ts';
import type { StatusBody } from './schemas.ts';

/** The story of a valid body. */
export function readStatus(body: StatusBody): Status {
  return {
    content: body.type === 'image' ? imageFrom(body) : videoFrom(body),
    text: body.text ?? '',
    parseMode: body.parseMode || undefined,
    privacy: body.privacy || 'contacts',
    periodHours: body.period || 24,
  };
}

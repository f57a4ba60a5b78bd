import { RpcError, type TlObject } from '../../rpc.ts';
import type { MessageRow } from '../state/message-rows.ts';
import { boxOf } from '../state/peer.ts';
import type { World } from '../world.ts';

/** What a search wants of a message. */
export interface MessageCriteria {
  /** Every word has to begin a word of the text or of the file's name. */
  query: string;
  /** A TL `MessagesFilter`. */
  filter: TlObject;
  /** Seconds since 1970, both exclusive; 0: no limit. */
  minDate: number;
  maxDate: number;
  /** The sender; `channel` stands for a channel's own posts. */
  from?: number | 'channel';
}

type Attribute = (name: string) => TlObject | undefined;
type Matches = (row: MessageRow, attribute: Attribute, world: World, viewer: number) => boolean;

const isDocument = (row: MessageRow): boolean => row.media?.kind === 'document';
const flag = (row: MessageRow, name: 'video' | 'round' | 'voice'): boolean =>
  row.media?.kind === 'document' && (row.media[name] ?? false);
const other = (row: MessageRow, pattern: RegExp): boolean =>
  row.media?.kind === 'other' && pattern.test(row.media.tl._);

/** https://core.telegram.org/type/MessagesFilter */
const filters: Readonly<Record<string, Matches>> = {
  Empty: () => true,
  Photos: (row) => row.media?.kind === 'photo',
  Video: (row) => flag(row, 'video') && !flag(row, 'round'),
  PhotoVideo: (row) => row.media?.kind === 'photo' || (flag(row, 'video') && !flag(row, 'round')),
  Document: (row, attribute) =>
    isDocument(row) && !['Video', 'Audio', 'Sticker', 'Animated'].some((name) => attribute(name)),
  Url: (row) => row.entities?.some(({ _: name }) => /Entity(?:Url|TextUrl)$/.test(name)) ?? false,
  Gif: (row, attribute) => isDocument(row) && attribute('Animated') !== undefined,
  Voice: (row) => flag(row, 'voice'),
  Music: (row, attribute) => attribute('Audio') !== undefined && !flag(row, 'voice'),
  ChatPhotos: (row) => row.action?._ === 'messageActionChatEditPhoto',
  PhoneCalls: (row) => row.action?._ === 'messageActionPhoneCall',
  RoundVoice: (row) => flag(row, 'round') || flag(row, 'voice'),
  RoundVideo: (row) => flag(row, 'round'),
  MyMentions: (row, _attribute, world, viewer) => isMentioned(world, row, viewer),
  Geo: (row) => other(row, /Geo|Venue/),
  Contacts: (row) => other(row, /Contact/),
  Pinned: (row) => row.pinned ?? false,
  Poll: (row) => row.media?.kind === 'poll' || other(row, /Poll/),
};

const filterPrefix = 'inputMessagesFilter';

/** @throws {RpcError} 400 INPUT_FILTER_INVALID */
export function requireFilter(filter: TlObject): void {
  if (!filters[filter._.replace(filterPrefix, '')]) throw new RpcError(400, 'INPUT_FILTER_INVALID');
}

/** A test for messages as one viewer searches them. @throws {RpcError} 400 INPUT_FILTER_INVALID */
export function messageMatcher(world: World, viewer: number, criteria: MessageCriteria): (row: MessageRow) => boolean {
  requireFilter(criteria.filter);
  const matchesFilter = filters[criteria.filter._.replace(filterPrefix, '')] as Matches;
  const wanted = wordsOf(criteria.query);
  const { minDate, maxDate, from } = criteria;
  return (row) => {
    if ((minDate && row.date <= minDate) || (maxDate && row.date >= maxDate)) return false;
    if (from === 'channel' ? !row.post : from !== undefined && (row.post || row.from !== from)) return false;
    const file = row.media?.kind === 'document' ? world.tables.files.get(row.media.file) : undefined;
    const attribute: Attribute = (name) => file?.attributes?.find((each) => each._ === `documentAttribute${name}`);
    if (!matchesFilter(row, attribute, world, viewer)) return false;
    if (wanted.length === 0) return true;
    const words = wordsOf(`${row.text} ${attribute('Filename')?.['file_name'] ?? ''}`);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** By username, by name, or by a reply to the viewer's own message. */
function isMentioned(world: World, row: MessageRow, viewer: number): boolean {
  const username = world.tables.users.get(viewer)?.username?.toLowerCase();
  const isNamed = row.entities?.some((entity) => {
    if (entity._ === 'messageEntityMentionName') return entity['user_id'] === BigInt(viewer);
    const text = row.text.slice(entity['offset'] + 1, entity['offset'] + entity['length']);
    return entity._ === 'messageEntityMention' && text.toLowerCase() === username;
  });
  if (isNamed || row.replyTo === undefined || row.from === viewer) return isNamed ?? false;
  return world.tables.message(boxOf(viewer, row.peer), row.replyTo)?.from === viewer;
}

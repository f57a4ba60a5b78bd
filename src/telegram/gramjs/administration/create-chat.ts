import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { LruMap } from '../../../../actors/kit/lru-map.ts';
import type { PeerCache } from '../../peer-cache.ts';
import type { MissingUsers, NewChat } from '../../port/administration.ts';
import { NotConnectedError } from '../../port/errors.ts';
import type { BeginSend } from '../../port/outgoing.ts';
import { offsetAfter } from '../chats/dialogs.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputUser } from '../peers/input-peer.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { knownPeerOf } from '../peers/peers-in-updates.ts';
import { long } from '../peers/text-entities.ts';

export interface CreateChatDeps {
  book: PeerCache;
  call: RpcCall;
  /** Converts a time of Telegram's clock (seconds) to the gateway's clock (milliseconds). */
  toGatewayTime: (serverSeconds: number) => number;
  /** The chats that this process has made or found, the newest last: none is taken for another one. */
  made: LruMap<string, true>;
}

/** Characters of a name that Telegram keeps. */
const maxNameLength = 128;
/** Telegram's maximum for one answer, and as many of them as an account writes in within a day. */
const pageSize = 100;
const maxPages = 20;
/** The two clocks may differ by as much, and Telegram's has whole seconds. */
const dateSlackMs = 10_000;
/** How often a request is made again whose outcome is unknown. */
const maxTries = 4;

type Made = Api.Chat | Api.Channel;

/** The request may have been carried out: it is not sent again before that is known. */
class DoubtfulError extends Error {}

/**
 * Makes a group or channel once.
 * @param mayBeMade an earlier request may have made it
 * @returns its ID, and the users of a basic group whom their settings keep out
 */
export async function createChatOnce(
  deps: CreateChatDeps,
  chat: NewChat,
  begin: BeginSend,
  mayBeMade: boolean,
  signal: LightAbortSignal,
): Promise<{ id: string; missing: MissingUsers; isFound: boolean }> {
  const { begunAt } = await begin();
  const find = async (): Promise<{ id: string; missing: MissingUsers; isFound: boolean } | undefined> => {
    const found = await findMade(deps, chat, begunAt, signal);
    return found && { id: idOf(found), missing: [], isFound: true };
  };
  const made = mayBeMade ? await find() : undefined;
  if (made !== undefined) return made;
  for (let tries = 1; tries <= maxTries; tries++) {
    try {
      const answer = await make(deps, chat, signal);
      deps.made.set(answer.id, true);
      return { ...answer, isFound: false };
    } catch (error) {
      if (!(error instanceof DoubtfulError)) throw error;
      const found = await find();
      if (found !== undefined) return found;
    }
  }
  throw new NotConnectedError('telegram does not answer whether the chat was made');
}

async function make(
  { book, call }: CreateChatDeps,
  { kind, name, description, users }: NewChat,
  signal: LightAbortSignal,
): Promise<{ id: string; missing: MissingUsers }> {
  const onResend = (): never => {
    throw new DoubtfulError();
  };
  if (kind === 'group') {
    const inputs = users.map((user) => inputUser(knownPeer(book, user)));
    const request = new Api.messages.CreateChat({ users: inputs, title: name });
    const { updates, missingInvitees } = await call(request, signal, undefined, undefined, onResend);
    return { id: madeIn(updates), missing: missingInvitees.map(({ userId }) => userId.toString()) };
  }
  const isGroup = kind === 'supergroup';
  const request = new Api.channels.CreateChannel({
    title: name,
    about: description,
    ...(isGroup ? { megagroup: true } : { broadcast: true }),
  });
  return { id: madeIn(await call(request, signal, undefined, undefined, onResend)), missing: [] };
}

function madeIn(updates: Api.TypeUpdates): string {
  const chats = updates instanceof Api.Updates || updates instanceof Api.UpdatesCombined ? updates.chats : [];
  const made = chats.find((chat): chat is Made => chat instanceof Api.Chat || chat instanceof Api.Channel);
  if (made === undefined) throw new Error('telegram made the chat but did not say which it is');
  return idOf(made);
}

/** The oldest one that it can be, claimed: the dialogs are in the order of their last messages, which are not older than they. */
async function findMade(
  { call, toGatewayTime, made }: CreateChatDeps,
  wanted: NewChat,
  begunAt: number,
  signal: LightAbortSignal,
): Promise<Made | undefined> {
  const isNew = (seconds: number): boolean => toGatewayTime(seconds) > begunAt - dateSlackMs;
  const isFree = (chat: Api.TypeChat): chat is Made => isWanted(chat, wanted) && made.get(idOf(chat)) === undefined;
  const found: Made[] = [];
  let offset: ReturnType<typeof offsetAfter> = { offsetDate: 0, offsetId: 0, offsetPeer: new Api.InputPeerEmpty() };
  for (let page = 0; page < maxPages && offset !== undefined; page++) {
    const request = new Api.messages.GetDialogs({ ...offset, limit: pageSize, hash: long(0n) });
    const answer: Api.messages.TypeDialogs = await call(request, signal);
    if (answer instanceof Api.messages.DialogsNotModified) break;
    found.push(...answer.chats.filter((chat): chat is Made => isFree(chat) && isNew(chat.date)));
    const next = answer instanceof Api.messages.DialogsSlice ? offsetAfter(answer) : undefined;
    offset = next !== undefined && isNew(next.offsetDate) ? next : undefined;
  }
  // No await between here and the claim: a concurrent search must not find the same chat.
  const [oldest] = found.filter(isFree).toSorted((one, other) => one.date - other.date);
  if (oldest !== undefined) made.set(idOf(oldest), true);
  return oldest;
}

function isWanted(chat: Api.TypeChat, { kind, name }: NewChat): chat is Made {
  if (!(chat instanceof Api.Chat || chat instanceof Api.Channel) || chat.creator !== true) return false;
  if (chat.title !== name.trim().slice(0, maxNameLength)) return false;
  if (chat instanceof Api.Chat) return kind === 'group' && chat.deactivated !== true && chat.left !== true;
  return kind === (chat.broadcast === true ? 'channel' : 'supergroup');
}

function idOf(chat: Made): string {
  const known = knownPeerOf(chat);
  return known?.id ?? (chat instanceof Api.Chat ? `-${bigInt(chat.id).toString()}` : `-100${chat.id.toString()}`);
}

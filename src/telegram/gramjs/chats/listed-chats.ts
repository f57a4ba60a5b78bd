import { Api } from 'telegram/tl/index.js';
import type { ListedChat } from '../../port/reading.ts';
import { peerId } from '../peers/peers-in-updates.ts';
import { Entities, seenMessage } from './seen-message.ts';

/** What lists of chats have in common: `messages.getDialogs` and `messages.getPeerDialogs` answer so. */
export interface DialogsAnswer {
  dialogs: readonly Api.TypeDialog[];
  messages: readonly Api.TypeMessage[];
  users: readonly Api.TypeUser[];
  chats: readonly Api.TypeChat[];
}

/** Of the account itself, and of the moment. */
export interface ListReader {
  /** The account's own user ID. */
  ownId: string;
  /** When the list is read, seconds since 1970: mutes end. */
  at: number;
}

/** The chats of an answer, in its order. The archive, which the list shows as one entry, is left out. */
export function listedChats(answer: DialogsAnswer, reader: ListReader): ListedChat[] {
  const entities = new Entities(answer);
  const tops = new Map(answer.messages.map((message) => [keyOf(message), message]));
  return dialogsIn(answer).flatMap((dialog) => {
    const id = peerId(dialog.peer);
    const top = tops.get(`${id}/${dialog.topMessage}`);
    const chat = describe(id, entities);
    if (chat === undefined) return [];
    return [
      {
        ...chat,
        unread: dialog.unreadCount,
        muted: (dialog.notifySettings.muteUntil ?? 0) > reader.at,
        pinned: dialog.pinned === true,
        archived: Boolean(dialog.folderId),
        ...(top instanceof Api.Message && { last: seenMessage(top, entities, reader.ownId) }),
      },
    ];
  });
}

export function dialogsIn({ dialogs }: Pick<DialogsAnswer, 'dialogs'>): Api.Dialog[] {
  return dialogs.filter((dialog): dialog is Api.Dialog => dialog instanceof Api.Dialog);
}

/** The newest message of a chat, service messages included. */
export function topOf({ messages }: DialogsAnswer, { peer, topMessage }: Api.Dialog): { date: number } | undefined {
  const key = `${peerId(peer)}/${topMessage}`;
  const top = messages.find((message) => keyOf(message) === key);
  return top === undefined || top instanceof Api.MessageEmpty ? undefined : top;
}

function keyOf(message: Api.TypeMessage): string {
  return message.peerId ? `${peerId(message.peerId)}/${message.id}` : '';
}

type Described = Pick<ListedChat, 'id' | 'kind' | 'name' | 'username' | 'photoId'>;

/** Undefined for a chat of which the answer tells nothing. */
function describe(id: string, entities: Entities): Described | undefined {
  const user = entities.user(id);
  const chat = entities.chat(id);
  if (user === undefined && chat === undefined) return undefined;
  const { name, username, photoId } = entities.author(id);
  const isChannel = chat instanceof Api.Channel && chat.broadcast === true;
  const kind = user === undefined ? (isChannel ? 'channel' : 'group') : user.bot ? 'bot' : 'user';
  return { id, kind, name, username, ...(photoId !== undefined && { photoId }) };
}

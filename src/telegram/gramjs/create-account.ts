import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { LoginState } from '../login/login-state.ts';
import type { PeerCache } from '../peer-cache.ts';
import { GramAccount } from './account.ts';
import { GramChatActions } from './actions/chat-actions.ts';
import { GramInteractions } from './actions/interactions.ts';
import { GramMessageActions } from './actions/message-actions.ts';
import { GramChatAdministration } from './administration/administration.ts';
import { GramChatReading } from './chats/chat-reading.ts';
import { GramChats } from './chats/chats.ts';
import { GramForumTopics } from './chats/forum-topics.ts';
import type { RpcCaller } from './connection/rpc-caller.ts';
import type { GramSessionDeps } from './connection/session-deps.ts';
import type { FileConnections } from './files/file-connections.ts';
import { GramFiles } from './files/files.ts';
import { createUpload } from './files/upload-file.ts';
import { maxUploadBytes } from './files/upload-part.ts';
import { GramOwnAccount } from './people/own-account.ts';
import { GramPeople } from './people/people.ts';
import { GramRawMethods } from './raw/raw-methods.ts';
import { SendOrder } from './sending/send-order.ts';
import type { Sending } from './sending/sending.ts';
import type { SentMessages } from './sending/sent-messages.ts';

/** What an account shares with the session whose it is. */
interface AccountParts extends Pick<Sending, 'toGatewayTime'> {
  deps: GramSessionDeps;
  login: LoginState;
  book: PeerCache;
  caller: RpcCaller;
  files: FileConnections;
  /** Resolves when the peers met so far are stored. */
  stored: () => Promise<void>;
  sent: SentMessages;
  /** Aborted when the session has ended. */
  ended: LightAbortSignal;
}

/** The connected account of a session, as features see it. */
export function createAccount(parts: AccountParts): GramAccount {
  const { deps, login, book, caller, files, stored, sent, ended, toGatewayTime } = parts;
  const { call } = caller;
  const { clock, random } = deps;
  const sending: Sending = {
    clock,
    book,
    sent,
    order: new SendOrder(),
    call,
    upload: createUpload(files, random),
    maxUploadBytes: () => maxUploadBytes(login.isPremium ?? false),
    toGatewayTime,
  };
  const chats = new GramChats({ clock, book, call, files, stored });
  const media = new GramFiles({ book, call, files, meet: (id, signal) => account.peerById(id, signal) });
  const ownId = (): string => login.account?.id ?? '';
  const reading = new GramChatReading({ book, call, clock, ownId });
  const messageActions = new GramMessageActions({ book, call, toGatewayTime });
  const raw = new GramRawMethods({ book, call, random, meet: (id, signal) => account.peerById(id, signal) });
  const chatActions = new GramChatActions({ book, call });
  const forumTopics = new GramForumTopics({ book, call, ownId });
  const interactions = new GramInteractions({ book, call });
  const people = new GramPeople({ book, call });
  const own = new GramOwnAccount({ call, upload: sending.upload });
  const { upload } = sending;
  const administration = new GramChatAdministration({ book, call, toGatewayTime, upload });
  const members = {
    administration,
    interactions,
    chatActions,
    forumTopics,
    chats,
    files: media,
    messageActions,
    own,
    people,
    raw,
    reading,
  };
  const account = new GramAccount({ ownId, ended, caller, sending, ...members });
  return account;
}

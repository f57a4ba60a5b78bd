import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import type { ComparisonStep, Found } from './comparison-step.ts';
import { messageIdsOf } from './found-in-updates.ts';

const peer = (): Api.InputPeerSelf => new Api.InputPeerSelf();
const text = 'The gateway compares Telegram with its sandbox. It deletes this message.';
const tooLong = 'x'.repeat(4_097);
/** No account has so many messages. */
const missingId = 2_147_483_000;
const fileId = 'a file';
const fileBytes = Buffer.from('The gateway compares Telegram with its sandbox.\n');

const keepMessages = (answer: unknown, { messages }: Found): void => {
  for (const id of messageIdsOf(answer)) if (!messages.includes(id)) messages.push(id);
};
const send = (found: Found, of: string, more: Partial<ConstructorParameters<typeof Api.messages.SendMessage>[0]>) =>
  new Api.messages.SendMessage({ peer: peer(), message: text, randomId: found.randomId(of), ...more });

/** In the chat that an account has with itself. */
export const savedMessagesSteps: readonly ComparisonStep[] = [
  {
    name: 'Saved Messages',
    call: 'messages.GetPeerDialogs',
    request: () => new Api.messages.GetPeerDialogs({ peers: [new Api.InputDialogPeer({ peer: peer() })] }),
  },
  { name: 'a text', call: 'messages.SendMessage', request: (found) => send(found, 'text', {}), keep: keepMessages },
  { name: 'the same text, repeated', call: 'messages.SendMessage', request: (found) => send(found, 'text', {}) },
  {
    name: 'a formatted reply',
    call: 'messages.SendMessage',
    request: (found) =>
      send(found, 'reply', {
        replyTo: new Api.InputReplyToMessage({ replyToMsgId: found.messages[0] ?? 0 }),
        entities: [new Api.MessageEntityBold({ offset: 0, length: 3 })],
      }),
    keep: keepMessages,
  },
  { name: 'an empty text', call: 'messages.SendMessage', request: (found) => send(found, 'none', { message: '' }) },
  {
    name: 'a text that is too long',
    call: 'messages.SendMessage',
    request: (found) => send(found, 'long', { message: tooLong }),
  },
  edit('an edit', `${text} Edited.`),
  edit('an edit that changes nothing', `${text} Edited.`),
  {
    name: 'messages by their IDs',
    call: 'messages.GetMessages',
    request: ({ messages }) =>
      new Api.messages.GetMessages({ id: [...messages, missingId].map((id) => new Api.InputMessageID({ id })) }),
  },
  {
    name: 'the latest messages',
    call: 'messages.GetHistory',
    request: ({ messages }) => new Api.messages.GetHistory({ peer: peer(), limit: messages.length, hash: bigInt.zero }),
  },
  {
    name: 'a part of a file',
    call: 'upload.SaveFilePart',
    request: ({ randomId }) => new Api.upload.SaveFilePart({ fileId: randomId(fileId), filePart: 0, bytes: fileBytes }),
  },
  {
    name: 'a document',
    call: 'messages.SendMedia',
    request: ({ randomId }) => sendDocument(randomId),
    keep: (answer, found) => {
      keepMessages(answer, found);
      const document = documentOf(answer);
      if (document) found.document = document;
    },
  },
  {
    name: 'the bytes of the document',
    call: 'upload.GetFile',
    request: ({ document }) =>
      document &&
      new Api.upload.GetFile({
        location: new Api.InputDocumentFileLocation({
          id: document.id,
          accessHash: document.accessHash,
          fileReference: document.fileReference,
          thumbSize: '',
        }),
        offset: bigInt.zero,
        limit: 4_096,
      }),
  },
  {
    name: 'a read of the chat',
    call: 'messages.ReadHistory',
    request: () => new Api.messages.ReadHistory({ peer: peer(), maxId: 0 }),
  },
  {
    name: 'a typing action',
    call: 'messages.SetTyping',
    request: () => new Api.messages.SetTyping({ peer: peer(), action: new Api.SendMessageTypingAction() }),
  },
  {
    name: 'a forward',
    call: 'messages.ForwardMessages',
    request: ({ messages, randomId }) =>
      new Api.messages.ForwardMessages({
        fromPeer: peer(),
        toPeer: peer(),
        id: messages.slice(0, 1),
        randomId: [randomId('forward')],
      }),
    keep: keepMessages,
  },
  {
    name: 'what has happened since the login',
    call: 'updates.GetDifference',
    request: ({ state }) =>
      state && new Api.updates.GetDifference({ pts: state.pts, date: state.date, qts: state.qts }),
  },
];

function edit(name: string, message: string): ComparisonStep {
  return {
    name,
    call: 'messages.EditMessage',
    request: ({ messages: [id] }) =>
      id === undefined ? undefined : new Api.messages.EditMessage({ peer: peer(), id, message }),
  };
}

function sendDocument(randomId: Found['randomId']): Api.messages.SendMedia {
  const file = new Api.InputFile({ id: randomId(fileId), parts: 1, name: 'compare.txt', md5Checksum: '' });
  const attributes = [new Api.DocumentAttributeFilename({ fileName: 'compare.txt' })];
  const media = new Api.InputMediaUploadedDocument({ file, mimeType: 'text/plain', attributes, forceFile: true });
  return new Api.messages.SendMedia({ peer: peer(), media, message: '', randomId: randomId('document') });
}

function documentOf(answer: unknown): Api.Document | undefined {
  const updates = answer instanceof Api.Updates ? answer.updates : [];
  for (const update of updates) {
    const message = update instanceof Api.UpdateNewMessage ? update.message : undefined;
    const media = message instanceof Api.Message ? message.media : undefined;
    if (media instanceof Api.MessageMediaDocument && media.document instanceof Api.Document) return media.document;
  }
  return undefined;
}

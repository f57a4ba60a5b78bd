import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** The fields of the resource Message. */

const of = (operation: string, more: Record<string, (string | boolean)[]> = {}): IDisplayOptions => ({
  show: { resource: ['message'], operation: [operation], ...more },
});
const files = ['animation', 'audio', 'document', 'image', 'sticker', 'video', 'videoNote', 'voice'];

/** Which chat, as the gateway takes it. */
export const recipientFields = (show: IDisplayOptions): INodeProperties[] => [
  {
    displayName: 'Chat By',
    name: 'recipientType',
    type: 'options',
    displayOptions: show,
    options: [
      { name: 'Channel ID or Username', value: 'channel' },
      { name: 'Group ID or Username', value: 'group' },
      { name: 'Phone Number', value: 'phone' },
      { name: 'User ID', value: 'user' },
      { name: 'Username', value: 'username' },
    ],
    default: 'username',
  },
  {
    displayName: 'Chat',
    name: 'recipient',
    type: 'string',
    displayOptions: show,
    default: '',
    required: true,
    placeholder: 'bobstone',
  },
];

export const listFields = (show: Record<string, string[]>): INodeProperties[] => [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    displayOptions: { show },
    default: false,
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    displayOptions: { show: { ...show, returnAll: [false] } },
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
  },
];

const text = (name: string, displayName: string, show: IDisplayOptions, more: Partial<INodeProperties> = {}) =>
  ({ displayName, name, type: 'string', displayOptions: show, default: '', ...more }) as INodeProperties;

export const messageFields: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['message'] } },
    options: [
      {
        name: 'Get Many',
        value: 'getMany',
        action: 'Get many messages',
        description: 'Get the messages of a chat, newest first',
      },
      {
        name: 'React',
        value: 'react',
        action: 'React to a message',
        description: 'Put an emoji on a message, or take it back',
      },
      { name: 'Search', value: 'search', action: 'Search messages', description: 'Find messages by their words' },
      { name: 'Send', value: 'send', action: 'Send a message', description: 'Send a message of any type' },
    ],
    default: 'send',
  },
  ...recipientFields(of('send')),
  ...recipientFields(of('react')),
  {
    displayName: 'Type',
    name: 'messageType',
    type: 'options',
    displayOptions: of('send'),
    options: [
      { name: 'Animation', value: 'animation' },
      { name: 'Audio', value: 'audio' },
      { name: 'Contact', value: 'contact' },
      { name: 'Document', value: 'document' },
      { name: 'Image', value: 'image' },
      { name: 'Location', value: 'location' },
      { name: 'Poll', value: 'poll' },
      { name: 'Sticker', value: 'sticker' },
      { name: 'Text', value: 'text' },
      { name: 'Video', value: 'video' },
      { name: 'Video Note', value: 'videoNote' },
      { name: 'Voice', value: 'voice' },
    ],
    default: 'text',
  },
  text('text', 'Text', of('send', { messageType: ['text'] }), { typeOptions: { rows: 3 }, required: true }),
  {
    displayName: 'File From Item',
    name: 'binaryData',
    type: 'boolean',
    displayOptions: of('send', { messageType: files }),
    default: false,
    description:
      'Whether the file is that of the item, up to 10 MB, instead of one that the gateway fetches from a URL',
  },
  text('binaryPropertyName', 'Input Binary Field', of('send', { messageType: files, binaryData: [true] }), {
    default: 'data',
    hint: 'The name of the input binary field containing the file to be sent',
    required: true,
  }),
  text('url', 'File URL', of('send', { messageType: files, binaryData: [false] }), { required: true }),
  text(
    'mimeType',
    'MIME Type',
    of('send', { messageType: ['audio', 'document', 'image', 'video'], binaryData: [false] }),
    {
      placeholder: 'image/jpeg',
      required: true,
    },
  ),
  text('fileName', 'File Name', of('send', { messageType: ['document'], binaryData: [false] }), { required: true }),
  {
    displayName: 'File Size',
    name: 'fileSize',
    type: 'number',
    displayOptions: of('send', { messageType: ['document'], binaryData: [false] }),
    default: 0,
    description: 'Bytes of the document',
  },
  {
    displayName: 'Duration',
    name: 'duration',
    type: 'number',
    displayOptions: of('send', { messageType: ['audio', 'video'] }),
    default: 1,
    description: 'Seconds; those of a video count only if they cannot be read from it',
  },
  text('caption', 'Caption', of('send', { messageType: files })),
  {
    displayName: 'Latitude',
    name: 'latitude',
    type: 'number',
    typeOptions: { numberPrecision: 6 },
    displayOptions: of('send', { messageType: ['location'] }),
    default: 0,
  },
  {
    displayName: 'Longitude',
    name: 'longitude',
    type: 'number',
    typeOptions: { numberPrecision: 6 },
    displayOptions: of('send', { messageType: ['location'] }),
    default: 0,
  },
  {
    displayName: 'Place',
    name: 'place',
    type: 'collection',
    placeholder: 'Add Field',
    displayOptions: of('send', { messageType: ['location'] }),
    default: {},
    options: [
      { displayName: 'Address', name: 'address', type: 'string', default: '' },
      { displayName: 'Name', name: 'name', type: 'string', default: '' },
    ],
  },
  text('contactName', 'Name', of('send', { messageType: ['contact'] }), { required: true }),
  text('contactPhone', 'Phone', of('send', { messageType: ['contact'] }), { required: true }),
  text('question', 'Question', of('send', { messageType: ['poll'] }), { required: true }),
  text('pollOptions', 'Options', of('send', { messageType: ['poll'] }), {
    typeOptions: { rows: 3 },
    required: true,
    description: 'A line for each, 2 to 12',
  }),
  {
    displayName: 'Multiple Answers',
    name: 'multipleAnswers',
    type: 'boolean',
    displayOptions: of('send', { messageType: ['poll'] }),
    default: false,
    description: 'Whether a voter may choose several options',
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    displayOptions: of('send'),
    default: {},
    options: [
      {
        displayName: 'Formatting',
        name: 'parseMode',
        type: 'options',
        options: [
          { name: 'HTML', value: 'html' },
          { name: 'Markdown', value: 'markdown' },
        ],
        default: 'markdown',
      },
      {
        displayName: 'Idempotency Key',
        name: 'idempotencyKey',
        type: 'string',
        default: '',
        description:
          'A text that stands for this one message: however often it is sent under it, it arrives once. By default it is that of the execution, node and item.',
      },
      { displayName: 'Reply To Message ID', name: 'replyTo', type: 'string', default: '' },
      {
        displayName: 'Send At',
        name: 'sendAt',
        type: 'string',
        default: '',
        placeholder: '2026-12-24T18:00:00+01:00',
        description: 'When Telegram sends it, with a time zone, up to a year ahead',
      },
      {
        displayName: 'Silent',
        name: 'silent',
        type: 'boolean',
        default: false,
        description: 'Whether it arrives without a sound',
      },
      { displayName: 'Topic ID', name: 'topic', type: 'string', default: '', description: 'Of a forum' },
    ],
  },
  text('messageId', 'Message ID', of('react'), { required: true }),
  text('emoji', 'Emoji', of('react'), { default: '👍', description: 'Empty takes the reaction back' }),
  text('words', 'Words', of('search'), { required: true }),
  text('chatId', 'Chat ID', of('search'), { description: 'Searches this chat alone; all chats if empty' }),
  text('chatId', 'Chat ID', of('getMany'), { required: true, placeholder: '1002' }),
  ...listFields({ resource: ['message'], operation: ['getMany', 'search'] }),
];

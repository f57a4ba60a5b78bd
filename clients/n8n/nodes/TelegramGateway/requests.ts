/** What each operation of the node asks of the gateway; pure, so that it is tested without n8n. */

export interface GatewayRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: Record<string, string | number>;
  body?: Record<string, unknown>;
  idempotencyKey?: string;
}

/** The parameters of the node for one item. */
export interface Parameters {
  text(name: string): string;
  number(name: string): number;
  flag(name: string): boolean;
  /** The fields of a collection that are filled. */
  options(name: string): Record<string, unknown>;
}

/** A file of an item. */
export interface ItemFile {
  /** Base64. */
  data: string;
  /** Bytes. */
  size: number;
  name: string;
  mimetype: string;
}

/** Types of messages whose bytes come from a URL or from the item. */
export const fileTypes = ['image', 'video', 'audio', 'document', 'voice', 'videoNote', 'animation', 'sticker'] as const;
export type FileType = (typeof fileTypes)[number];

export const isFileType = (type: string): type is FileType => fileTypes.some((one) => one === type);

/** Names the chat as the gateway takes it: `{ user: '1002' }`. */
export function recipientOf(parameters: Parameters): Record<string, string> {
  return { [parameters.text('recipientType')]: parameters.text('recipient').trim() };
}

/**
 * `POST /message`.
 * @param file of the item, if the message is one of {@link fileTypes} and its bytes are the item's
 * @param idempotencyKey of this run of the node and item: a repeated run sends nothing twice
 */
export function sendRequest(
  parameters: Parameters,
  file: ItemFile | undefined,
  idempotencyKey: string,
): GatewayRequest {
  const type = parameters.text('messageType');
  const { idempotencyKey: ownKey, replyTo, topic, ...options } = parameters.options('additionalFields');
  const body = {
    ...recipientOf(parameters),
    type,
    ...contentOf(type, parameters, file),
    ...options,
    ...(replyTo ? { replyTo: String(replyTo) } : {}),
    ...(topic ? { topic: String(topic) } : {}),
  };
  return { method: 'POST', path: '/message', body, idempotencyKey: ownKey ? String(ownKey) : idempotencyKey };
}

function contentOf(type: string, parameters: Parameters, file: ItemFile | undefined): Record<string, unknown> {
  if (isFileType(type)) {
    const caption = parameters.text('caption');
    return { [type]: mediaOf(type, parameters, file), ...(caption && { text: caption }) };
  }
  if (type === 'location') {
    const { name, address } = parameters.options('place');
    const place = { ...(name ? { name } : {}), ...(address ? { address } : {}) };
    return {
      location: { latitude: parameters.number('latitude'), longitude: parameters.number('longitude'), ...place },
    };
  }
  if (type === 'contact') {
    return { contact: { name: parameters.text('contactName'), phone: parameters.text('contactPhone') } };
  }
  if (type === 'poll') {
    const options = parameters.text('pollOptions').split('\n');
    return {
      poll: {
        question: parameters.text('question'),
        options: options.map((option) => option.trim()).filter((option) => option !== ''),
        multiple: parameters.flag('multipleAnswers'),
      },
    };
  }
  return { text: parameters.text('text') };
}

function mediaOf(type: FileType, parameters: Parameters, file: ItemFile | undefined): Record<string, unknown> {
  const source = file === undefined ? { url: parameters.text('url') } : { data: file.data };
  // Voices, video notes, animations and stickers are made of their bytes alone.
  if (['voice', 'videoNote', 'animation', 'sticker'].includes(type)) return source;
  const mimetype = file?.mimetype ?? parameters.text('mimeType');
  if (type === 'image') return { ...source, mimetype };
  if (type === 'document') {
    const name = file?.name ?? parameters.text('fileName');
    return { ...source, mimetype, name, size: file?.size ?? parameters.number('fileSize') };
  }
  return { ...source, mimetype, duration: parameters.number('duration') };
}

export function reactRequest(parameters: Parameters): GatewayRequest {
  const body = {
    ...recipientOf(parameters),
    messageId: parameters.text('messageId'),
    emoji: parameters.text('emoji'),
  };
  return { method: 'POST', path: '/message/reaction', body };
}

export function markReadRequest(parameters: Parameters): GatewayRequest {
  const upTo = parameters.text('upToMessageId');
  return {
    method: 'POST',
    path: '/chat/read',
    body: { ...recipientOf(parameters), ...(upTo && { messageId: upTo }) },
  };
}

/** A list that comes in pages. */
export interface ListRequest {
  path: string;
  query: Record<string, string | number>;
  /** The query's name of the next page, and the field of the answer that has it. */
  next: 'after' | 'before';
}

export function chatsRequest(parameters: Parameters): ListRequest {
  return { path: '/chat', query: { archived: String(parameters.flag('archived')) }, next: 'after' };
}

export function historyRequest(parameters: Parameters): ListRequest {
  return { path: '/chat/message', query: { chatId: parameters.text('chatId') }, next: 'before' };
}

export function searchRequest(parameters: Parameters): ListRequest {
  const chatId = parameters.text('chatId');
  return { path: '/chat/search', query: { q: parameters.text('words'), ...(chatId && { chatId }) }, next: 'before' };
}

/** The most that the gateway puts on a page. */
const maxPage = 100;

/**
 * Reads page after page.
 * @param limit how many at most; undefined: all
 * @param ask asks for a page
 */
export async function readPages<T>(
  { path, query, next }: ListRequest,
  limit: number | undefined,
  ask: (request: GatewayRequest) => Promise<unknown>,
): Promise<T[]> {
  const found: T[] = [];
  let place = '';
  do {
    const rest = limit === undefined ? maxPage : Math.min(maxPage, limit - found.length);
    const page = { ...query, limit: rest, ...(place !== '' && { [next]: place }) };
    const answer = (await ask({ method: 'GET', path, query: page })) as { docs: T[] } & Record<string, unknown>;
    found.push(...answer.docs);
    place = String(answer[next] ?? '');
  } while (place !== '' && (limit === undefined || found.length < limit));
  // The first page of the chats has the pinned ones besides.
  return limit === undefined ? found : found.slice(0, limit);
}

/** The message of the gateway in an error of n8n's HTTP helper; undefined if the gateway did not answer. */
export function gatewayMessage(error: unknown): string | undefined {
  const { response, context } = (error ?? {}) as {
    response?: { data?: { message?: unknown }; body?: { message?: unknown } };
    context?: { data?: { message?: unknown } };
  };
  const message = response?.data?.message ?? response?.body?.message ?? context?.data?.message;
  return typeof message === 'string' && message !== '' ? message : undefined;
}

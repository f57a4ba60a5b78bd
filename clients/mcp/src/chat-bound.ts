/** The chats that a server is for: beside what its key may, and never more. Only the `chats` of the key are kept by the gateway. */
export interface ChatBound {
  admits(chatId: string): boolean;
  /** @throws {OutsideChatsError} */
  require(chatId: string): void;
}

/** A tool was asked for a chat that its server is not for. */
export class OutsideChatsError extends Error {
  override readonly name = 'OutsideChatsError';
}

/** @param chats IDs; undefined: all chats of the account */
export function boundTo(chats: ReadonlySet<string> | undefined): ChatBound {
  const admits = (chatId: string): boolean => chats === undefined || chats.has(chatId);
  return {
    admits,
    require(chatId) {
      if (!admits(chatId)) throw new OutsideChatsError(`this server is not for chat ${chatId}`);
    },
  };
}

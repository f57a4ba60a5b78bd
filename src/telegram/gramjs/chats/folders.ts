/** Telegram's numbers of its two lists of chats (https://core.telegram.org/api/folders#peer-folders). */
export const folders = { list: 0, archive: 1 } as const;

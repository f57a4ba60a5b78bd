/** Telegram's own accounts, which send login codes: their chats are shown to nobody. */
export const serviceAccounts: ReadonlySet<string> = new Set(['777000', '42777']);

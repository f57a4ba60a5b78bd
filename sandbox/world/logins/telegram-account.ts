/** Telegram's own account: it writes login codes and notices of new logins. */
export const telegramId = 777_000;

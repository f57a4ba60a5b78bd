/** Credentials, in `sessionStorage`: only this tab can read them, and they are gone when it closes. */

const apiKeyName = 'gateway.apiKey';
const secretName = (id: string): string => `gateway.session.${id}`;

export const readApiKey = (): string | null => sessionStorage.getItem(apiKeyName);

export function storeApiKey(key: string): void {
  sessionStorage.setItem(apiKeyName, key);
}

export function removeApiKey(): void {
  sessionStorage.removeItem(apiKeyName);
}

/** The secret of a session is its `sessionId`. This tab has it if it created the session, or if the user pasted it. */
export const readSessionSecret = (id: string): string | null => sessionStorage.getItem(secretName(id));

export function storeSessionSecret(id: string, sessionId: string): void {
  sessionStorage.setItem(secretName(id), sessionId);
}

export function removeSessionSecret(id: string): void {
  sessionStorage.removeItem(secretName(id));
}

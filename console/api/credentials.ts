/** Secrets of this tab: gone with it, and never anywhere else. */

const apiKeyName = 'gateway.apiKey';
const secretName = (id: string): string => `gateway.session.${id}`;

export const apiKey = (): string | null => sessionStorage.getItem(apiKeyName);

export function keepApiKey(key: string): void {
  sessionStorage.setItem(apiKeyName, key);
}

export function forgetApiKey(): void {
  sessionStorage.removeItem(apiKeyName);
}

/** The `sessionId` of a session that was created here, or given by hand. */
export const secretOf = (id: string): string | null => sessionStorage.getItem(secretName(id));

export function keepSecret(id: string, sessionId: string): void {
  sessionStorage.setItem(secretName(id), sessionId);
}

export function forgetSecret(id: string): void {
  sessionStorage.removeItem(secretName(id));
}

import type { ChatDoc } from './types.ts';

/** The field of a body or a query that names a chat. */
export const recipientOf = ({ id, kind }: Pick<ChatDoc, 'id' | 'kind'>): Record<string, string> => ({
  [kind === 'bot' ? 'user' : kind]: id,
});

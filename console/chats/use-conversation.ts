import { useCallback, useEffect, useState } from 'preact/hooks';
import { fetchMessages } from '../api/chats.ts';
import type { MessageDoc } from '../api/types.ts';
import { type LoadedMessages, withNewest, withOlder } from './loaded-messages.ts';
import { type Loading, useLoading } from './use-loading.ts';

export interface ConversationState extends Pick<Loading, 'error' | 'isBusy'> {
  /** Oldest first; undefined until the newest page is loaded. */
  messages: readonly MessageDoc[] | undefined;
  hasOlder: boolean;
  loadOlder: () => void;
  refresh: (signal: AbortSignal) => Promise<void>;
}

/**
 * The messages of a chat.
 * @param chatId undefined: nothing is requested
 * @param topic of a forum; empty: all of it
 */
export function useConversation(session: string, chatId: string | undefined, topic: string): ConversationState {
  const key = `${session} ${chatId} ${topic}`;
  const [state, setState] = useState<{ key: string; loaded: LoadedMessages }>();
  const loading = useLoading(key);
  const { attempt } = loading;
  const loaded = state?.key === key ? state.loaded : undefined;
  const refresh = useCallback(
    (signal: AbortSignal) =>
      attempt(signal, async () => {
        if (chatId === undefined) return;
        const page = await fetchMessages(session, { chatId, before: '', topic }, signal);
        setState((before) => ({ key, loaded: withNewest(before?.key === key ? before.loaded : undefined, page) }));
      }),
    [session, chatId, topic, key, attempt],
  );
  useEffect(() => {
    const stop = new AbortController();
    void refresh(stop.signal);
    return () => stop.abort();
  }, [refresh]);
  const before = loaded?.before ?? '';
  const loadOlder = (): void =>
    loading.once(async (signal) => {
      if (chatId === undefined) return;
      const page = await fetchMessages(session, { chatId, before, topic }, signal);
      setState((known) => (known?.key === key ? { key, loaded: withOlder(known.loaded, before, page) } : known));
    });
  const { error, isBusy } = loading;
  return { messages: loaded?.messages, hasOlder: before !== '', error, isBusy, loadOlder, refresh };
}

import { useCallback, useEffect, useState } from 'preact/hooks';
import { fetchChats } from '../api/chats.ts';
import type { ChatDoc } from '../api/types.ts';
import { type LoadedChats, withFirstPage, withNextPage, withRead } from './loaded-chats.ts';
import { type Loading, useLoading } from './use-loading.ts';

export interface ChatListState extends Pick<Loading, 'error' | 'isBusy'> {
  /** Undefined until the first page is loaded. */
  chats: readonly ChatDoc[] | undefined;
  hasMore: boolean;
  loadMore: () => void;
  refresh: (signal: AbortSignal) => Promise<void>;
  /** Shows a chat as read before the list says so. */
  markRead: (chatId: string) => void;
}

/** The chats of the session's account, or those of the archive. @param isOn false: nothing is requested */
export function useChatList(session: string, archived: boolean, isOn: boolean): ChatListState {
  const key = `${session} ${archived}`;
  const [state, setState] = useState<{ key: string; loaded: LoadedChats }>();
  const loading = useLoading(key);
  const { attempt } = loading;
  const loaded = state?.key === key ? state.loaded : undefined;
  const refresh = useCallback(
    (signal: AbortSignal) =>
      attempt(signal, async () => {
        const page = await fetchChats(session, { archived, after: '' }, signal);
        setState((before) => ({ key, loaded: withFirstPage(before?.key === key ? before.loaded : undefined, page) }));
      }),
    [session, archived, key, attempt],
  );
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    void refresh(stop.signal);
    return () => stop.abort();
  }, [refresh, isOn]);
  const after = loaded?.after ?? '';
  const loadMore = (): void =>
    loading.once(async (signal) => {
      const page = await fetchChats(session, { archived, after }, signal);
      setState((before) => (before?.key === key ? { key, loaded: withNextPage(before.loaded, after, page) } : before));
    });
  const markRead = (chatId: string): void =>
    setState((before) => before && { key: before.key, loaded: withRead(before.loaded, chatId) });
  const { error, isBusy } = loading;
  return { chats: loaded?.chats, hasMore: after !== '', error, isBusy, loadMore, refresh, markRead };
}

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Session } from '../api/types.ts';
import { stateName } from '../parts/format.ts';
import { chatsHref } from '../parts/session-route.ts';

interface Props {
  id: string;
  session: Session | undefined;
  state: string;
  /** The caller's own names for it; empty if it has none. */
  ownName: string;
  isOwner: boolean;
  /** What can be done with it. */
  children: ComponentChildren;
}

/** The names of the session, and what can be done with it. */
export function SessionHeader({ id, session, state, ownName, isOwner, children }: Props) {
  const name = session?.name || ownName || 'Session';
  useEffect(() => {
    const previousTitle = document.title;
    document.title = `${name}, ${stateName(state)} · Session gateway`;
    return () => {
      document.title = previousTitle;
    };
  }, [name, state]);
  return (
    <header class="page-header session-header">
      <a class="back" href="#/sessions">
        ← All sessions
      </a>
      <div class="identity">
        {session !== undefined && session.picture !== '' && <img class="avatar" src={session.picture} alt="" />}
        <div>
          <h1>{name}</h1>
          <p class="muted id">{ownName !== '' && ownName !== name ? `${ownName} · ${id}` : id}</p>
        </div>
      </div>
      <div class="header-tools">
        {isOwner && state === 'connected' && (
          <a class="button" href={chatsHref(id)}>
            Chats
          </a>
        )}
        {children}
      </div>
    </header>
  );
}

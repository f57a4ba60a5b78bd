import { useCallback, useState } from 'preact/hooks';
import { loadLinks, withdrawLink } from '../api/links.ts';
import { errorMessage } from '../api/request.ts';
import type { LinkDoc } from '../api/types.ts';
import { useLoaded } from '../live/use-loaded.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { epochMs, formatCount, formatDateTime, formatDuration, formatTime, shortId } from '../parts/format.ts';
import { ownName } from '../parts/own-name.ts';
import { sessionHref } from '../parts/session-route.ts';
import { ActionResult, ErrorTime, useAction } from '../parts/use-action.tsx';
import { useNow } from '../parts/use-now.ts';
import { NewLinkButton } from './new-link-button.tsx';

const states = {
  open: 'Open',
  used: 'Used',
  withdrawn: 'Revoked',
  expired: 'Expired',
  any: 'All',
} as const;

/** The customers' links: those that are open, or have ended in the last week. @param version another number when sessions have changed */
export function LinksPage({ version }: { version: number }) {
  const [state, setState] = useState<keyof typeof states>('open');
  const [after, setAfter] = useState('');
  const load = useCallback((signal: AbortSignal) => loadLinks(state, after, signal), [state, after]);
  const { value: page, failure, reload } = useLoaded(load, version);
  const action = useAction();
  const revoke = async (id: string): Promise<string> => {
    await withdrawLink(id);
    reload();
    return 'The link is revoked.';
  };
  const links = page?.docs ?? [];
  return (
    <>
      <header class="page-header list-header">
        <h1>Customer links</h1>
        <NewLinkButton onMade={reload} />
        <p class="muted" role="status">
          {page === undefined
            ? 'Loading…'
            : `${formatCount(links.length, 'link')}${links.length > 1 ? ', the oldest first' : ''}.`}
        </p>
      </header>
      <fieldset class="filters">
        <legend class="visually-hidden">Filter by state</legend>
        {Object.entries(states).map(([name, text]) => (
          <label key={name} class="chip">
            <input
              type="radio"
              name="link-state"
              checked={state === name}
              onChange={() => {
                setState(name as keyof typeof states);
                setAfter('');
              }}
            />
            <span>{text}</span>
          </label>
        ))}
      </fieldset>
      {failure !== undefined && (
        <p class="action-result error" role="alert">
          {errorMessage(failure.error)}
          <ErrorTime at={failure.at} />
        </p>
      )}
      <ActionResult result={action.result} />
      {links.length > 0 && (
        <LinkTable links={links} isBusy={action.isBusy} onRevoke={(id) => void action.run(() => revoke(id))} />
      )}
      {page !== undefined && links.length === 0 && <p class="muted">No links here.</p>}
      {page !== undefined && page.after !== '' && (
        <button type="button" class="wide" onClick={() => setAfter(page.after)}>
          Next page
        </button>
      )}
    </>
  );
}

interface TableProps {
  links: readonly LinkDoc[];
  isBusy: boolean;
  onRevoke: (id: string) => void;
}

function LinkTable({ links, isBusy, onRevoke }: TableProps) {
  const now = useNow();
  return (
    <div class="table-frame">
      <table class="sessions links">
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">State</th>
            <th scope="col">Session</th>
            <th scope="col" class="wide-only">
              Made
            </th>
            <th scope="col" class="wide-only">
              By
            </th>
            <th scope="col">
              <span class="visually-hidden">Action</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {links.map((link) => (
            <tr key={link.id}>
              <td>
                <div class="cell">
                  {ownName(link) || 'No name'}
                  <span class="row-id muted wide-only" title={link.id}>
                    {shortId(link.id)}
                  </span>
                </div>
              </td>
              <td>
                <div class="cell">
                  {states[link.state]}
                  <span class="muted" title={formatDateTime(link.ended || link.expires)}>
                    {link.state === 'open'
                      ? `ends in ${formatDuration(epochMs(link.expires) - now)}`
                      : `at ${formatTime(link.ended || link.expires)}`}
                  </span>
                </div>
              </td>
              <td>{link.session === '' ? <NotPressed /> : <SessionOfLink link={link} />}</td>
              <td class="wide-only" title={formatDateTime(link.created)}>
                {formatTime(link.created)}
              </td>
              <td class="wide-only">{link.by}</td>
              <td>
                {link.state === 'open' && (
                  <ConfirmButton
                    label="Revoke"
                    title="Revoke this link?"
                    text="Its page says that the link has ended. A session that it has made stays."
                    confirmLabel="Revoke the link"
                    isDisabled={isBusy}
                    isDanger
                    onConfirm={() => onRevoke(link.id)}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const NotPressed = () => <span class="muted">not opened yet</span>;

function SessionOfLink({ link: { session, sessionsMade } }: { link: LinkDoc }) {
  return (
    <div class="cell">
      <a href={sessionHref(session)}>{shortId(session)}</a>
      {sessionsMade > 1 && <span class="muted">{`${formatCount(sessionsMade, 'session')} made`}</span>}
    </div>
  );
}

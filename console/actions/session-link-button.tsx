import { useState } from 'preact/hooks';
import { makeLinkOf } from '../api/links.ts';
import { changeNames } from '../api/operator.ts';
import type { MadeLink, SessionSummary } from '../api/types.ts';
import { LinkLife, usualHours } from '../links/link-life.tsx';
import { MadeLinkCard } from '../links/made-link-card.tsx';
import { Dialog, DialogFoot } from '../parts/dialog.tsx';
import { useAction } from '../parts/use-action.tsx';

/** Makes a link with which the customer connects the account of this session, in a dialog. */
export function SessionLinkButton({ summary }: { summary: SessionSummary }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Customer link
      </button>
      {isOpen && (
        <Dialog title="A link for the customer" onClose={() => setOpen(false)}>
          <SessionLink summary={summary} />
        </Dialog>
      )}
    </>
  );
}

function SessionLink({ summary }: { summary: SessionSummary }) {
  const { id, label, tenant, state } = summary;
  const [externalId, setExternalId] = useState(summary.externalId);
  const [hours, setHours] = useState(usualHours);
  const [link, setLink] = useState<MadeLink>();
  const { isBusy, result, run } = useAction();
  if (link !== undefined) return <MadeLinkCard link={link} />;
  const make = async (): Promise<undefined> => {
    const name = externalId.trim();
    if (name !== summary.externalId && state !== 'deleted') await changeNames(id, { label, externalId: name });
    setLink(await makeLinkOf({ label, externalId: name, tenant }, hours));
    return undefined;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(make);
      }}
    >
      <p class="muted">
        {state === 'deleted'
          ? 'This session is deleted: the link makes a new one with the same names, and shows its QR code.'
          : 'Its page shows the QR code of this session as long as it waits for a login, and no key. It finds the session by its external ID.'}
      </p>
      {summary.externalId === '' && (
        <label>
          External ID
          <input
            autocomplete="off"
            required={state !== 'deleted'}
            value={externalId}
            onInput={(event) => setExternalId(event.currentTarget.value)}
          />
        </label>
      )}
      <LinkLife hours={hours} onChange={setHours} />
      <DialogFoot submit="Make the link" isBusy={isBusy} result={result} />
    </form>
  );
}

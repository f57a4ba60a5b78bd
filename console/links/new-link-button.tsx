import { useState } from 'preact/hooks';
import { makeLink } from '../api/links.ts';
import type { MadeLink } from '../api/types.ts';
import { Dialog, DialogFoot } from '../parts/dialog.tsx';
import { NameFields, noNames } from '../parts/forms/name-fields.tsx';
import { useAction } from '../parts/use-action.tsx';
import { LinkLife, usualHours } from './link-life.tsx';
import { MadeLinkCard } from './made-link-card.tsx';

/** Makes a link with which a customer connects an account, in a dialog. */
export function NewLinkButton({ onMade }: { onMade?: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        New customer link
      </button>
      {isOpen && (
        <Dialog title="A link for a customer" onClose={() => setOpen(false)}>
          <NewLink onMade={onMade} />
        </Dialog>
      )}
    </>
  );
}

function NewLink({ onMade }: { onMade: (() => void) | undefined }) {
  const [names, setNames] = useState(noNames);
  const [hours, setHours] = useState(usualHours);
  const [link, setLink] = useState<MadeLink>();
  const { isBusy, result, run } = useAction();
  if (link !== undefined) return <MadeLinkCard link={link} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(async () => {
          setLink(await makeLink({ label: names.label.trim(), externalId: names.externalId.trim() }, hours));
          onMade?.();
          return undefined;
        });
      }}
    >
      <p class="muted">
        Its page has a QR code and no key. The session is created when the customer presses the button there; if a
        session with this external ID lives, the page shows that one.
      </p>
      <NameFields names={names} onChange={setNames} />
      <LinkLife hours={hours} onChange={setHours} />
      <DialogFoot submit="Make the link" isBusy={isBusy} result={result} />
    </form>
  );
}

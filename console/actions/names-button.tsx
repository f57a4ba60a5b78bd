import { useState } from 'preact/hooks';
import { changeNames } from '../api/operator.ts';
import type { SessionSummary } from '../api/types.ts';
import { closeDialog, Dialog, DialogFoot } from '../parts/dialog.tsx';
import { NameFields } from '../parts/forms/name-fields.tsx';
import { useAction } from '../parts/use-action.tsx';

interface Props {
  id: string;
  /** As they are now. */
  names: Pick<SessionSummary, 'label' | 'externalId'>;
}

/** Changes the caller's own names for a session in a dialog. */
export function NamesButton({ id, names }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Rename
      </button>
      {isOpen && (
        <Dialog title="Your names for this session" onClose={() => setOpen(false)}>
          <NamesForm id={id} names={names} />
        </Dialog>
      )}
    </>
  );
}

function NamesForm({ id, names: before }: Props) {
  const [names, setNames] = useState({ label: before.label, externalId: before.externalId });
  const { isBusy, result, run } = useAction();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const { currentTarget } = event;
        void run(async () => {
          await changeNames(id, { label: names.label.trim(), externalId: names.externalId.trim() });
          closeDialog({ currentTarget });
          return undefined;
        });
      }}
    >
      <p class="muted">They are stored in the clear: no personal data in them.</p>
      <NameFields names={names} onChange={setNames} />
      <DialogFoot submit="Save" isBusy={isBusy} result={result} />
    </form>
  );
}

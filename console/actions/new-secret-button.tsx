import { useState } from 'preact/hooks';
import { rotateSecret } from '../api/operator.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { SecretField } from '../parts/copy/secret-field.tsx';
import { closeDialog, Dialog } from '../parts/dialog.tsx';
import type { Action } from '../parts/use-action.tsx';

interface Props {
  id: string;
  action: Action;
  /** Called when the dialog that shows the new secret is closed. This tab has it then. */
  onSecret: () => void;
}

/** Replaces the secret of a session, and shows the new one once. */
export function NewSecretButton({ id, action, onSecret }: Props) {
  const [secret, setSecret] = useState('');
  const rotate = async (): Promise<undefined> => {
    setSecret(await rotateSecret(id));
    return undefined;
  };
  return (
    <>
      <ConfirmButton
        label="New secret"
        title="Give this session a new secret?"
        text="The sessionId from before opens nothing any more, and streams that it opened are closed: programs that use it need the new one. The account stays connected."
        confirmLabel="Make a new secret"
        isDisabled={action.isBusy}
        isDanger
        onConfirm={() => void action.run(rotate)}
      />
      {secret !== '' && (
        <Dialog
          title="The new secret"
          onClose={() => {
            setSecret('');
            onSecret();
          }}
        >
          <p class="muted">
            Only a hash of it is stored: it is shown here once, and never again. This tab keeps it until you close it.
          </p>
          <SecretField label="sessionId" text={secret} />
          <div class="actions">
            <button type="button" class="primary" onClick={closeDialog}>
              Done
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

import type { MadeLink } from '../api/types.ts';
import { SecretField } from '../parts/copy/secret-field.tsx';
import { closeDialog } from '../parts/dialog.tsx';
import { formatDateTime } from '../parts/format.ts';

/** The link to send to the customer, inside a dialog: it is shown once. */
export function MadeLinkCard({ link }: { link: MadeLink }) {
  return (
    <>
      <p class="muted">
        Send it to the customer. It is shown here once, and never again. It ends on {formatDateTime(link.expires)}, or
        once the account is connected.
      </p>
      <SecretField label="Link" text={link.url} />
      <div class="actions">
        <button type="button" class="primary" onClick={closeDialog}>
          Done
        </button>
      </div>
    </>
  );
}

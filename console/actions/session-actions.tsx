import { deleteById, resetById, turnWebhookOff } from '../api/operator.ts';
import { deleteSession, resetSession } from '../api/sessions.ts';
import type { SessionSummary } from '../api/types.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { ActionResult, useAction } from '../parts/use-action.tsx';
import { NamesButton } from './names-button.tsx';
import { NewSecretButton } from './new-secret-button.tsx';
import { SessionLinkButton } from './session-link-button.tsx';

interface Props {
  id: string;
  /** Undefined until the list contains the session. */
  summary: SessionSummary | undefined;
  /** Whether this tab has the session's secret. Without it, an API key has to have the scope `sessions:control`. */
  isOwner: boolean;
  /** While the session is being deleted, requests about it fail with 404: the page must not send them. */
  onDeleting: (isDeleting: boolean) => void;
  /** Called when this tab has a new secret of the session. */
  onSecret: () => void;
}

/** What is done with a live session: by its owner, and by an operator who has only a key. */
export function SessionActions({ id, summary, isOwner, onDeleting, onSecret }: Props) {
  const action = useAction();
  const { isBusy, result, run } = action;
  const reset = async (): Promise<string> => {
    await (isOwner ? resetSession(id) : resetById(id));
    return 'Logged out. A new QR code follows.';
  };
  const remove = async (): Promise<string> => {
    onDeleting(true);
    await (isOwner ? deleteSession(id) : deleteById(id)).catch((error: unknown) => {
      onDeleting(false);
      throw error;
    });
    return 'Deleted.';
  };
  const silence = async (): Promise<string> => {
    await turnWebhookOff(id);
    return 'The webhook is off.';
  };
  return (
    <div class="session-actions">
      <div class="actions">
        {summary !== undefined && <SessionLinkButton summary={summary} />}
        {summary !== undefined && <NamesButton id={id} names={summary} />}
        <NewSecretButton id={id} action={action} onSecret={onSecret} />
        {summary?.hasWebhook === true && (
          <ConfirmButton
            label="Webhook off"
            title="Turn the webhook off?"
            text="Events that wait are not sent any more, and new ones are not recorded for it. To set it again, its URL and token have to be entered."
            confirmLabel="Turn off"
            isDisabled={isBusy}
            isDanger
            onConfirm={() => void run(silence)}
          />
        )}
        <ConfirmButton
          label="Reset"
          title="Log out this session?"
          text="The account is logged out of Telegram. The session keeps its ID, secret, names, webhook and events, and shows a new QR code; if it is not scanned in time, the session is deleted."
          confirmLabel="Log out"
          isDisabled={isBusy}
          onConfirm={() => void run(reset)}
        />
        <ConfirmButton
          label="Delete"
          title="Delete this session?"
          text="The session is logged out of Telegram. The personal data in its events can never be read again."
          confirmLabel="Delete session"
          isDisabled={isBusy}
          isDanger
          onConfirm={() => void run(remove)}
        />
      </div>
      <ActionResult result={result} />
    </div>
  );
}

import { deleteById, resetById, turnWebhookOff } from '../api/operator.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { formatCount } from '../parts/format.ts';
import type { Bulk } from './use-bulk.ts';

interface Props {
  ids: readonly string[];
  /** How many of them are not among the rows. */
  elsewhere: number;
  bulk: Bulk;
  onClear: () => void;
  /** Called with those that failed or were not begun. */
  onEnd: (left: readonly string[]) => void;
}

const actions = [
  {
    label: 'Reset',
    title: 'Log out',
    text: 'Their accounts are logged out of Telegram, and they show new QR codes. A session whose QR code is not scanned in time is deleted.',
    confirmLabel: 'Log out',
    done: 'reset',
    isDanger: false,
    work: resetById,
  },
  {
    label: 'Webhook off',
    title: 'Turn off the webhook of',
    text: 'Events that wait are not sent any more. To set a webhook again, its URL and token have to be entered.',
    confirmLabel: 'Turn off',
    done: 'webhook off',
    isDanger: true,
    work: turnWebhookOff,
  },
  {
    label: 'Delete',
    title: 'Delete',
    text: 'They are logged out of Telegram. The personal data in their events can never be read again.',
    confirmLabel: 'Delete them',
    done: 'deleted',
    isDanger: true,
    work: deleteById,
  },
] as const;

/** What can be done with all selected sessions at once, and how far it is. */
export function BulkBar({ ids, elsewhere, bulk, onClear, onEnd }: Props) {
  const { progress, run, stop } = bulk;
  const isRunning = progress?.isRunning === true;
  const count = formatCount(ids.length, 'session');
  return (
    <section class="bulk-bar" aria-label="Selected sessions">
      <p role="status">
        {progress === undefined
          ? `${count} selected${elsewhere > 0 ? `, ${elsewhere} on other pages` : ''}`
          : progressText(progress)}
      </p>
      {progress !== undefined && <progress aria-label="Progress" value={progress.done} max={progress.count} />}
      <div class="actions">
        {isRunning ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <>
            {actions.map(({ label, title, text, confirmLabel, done, isDanger, work }) => (
              <ConfirmButton
                key={label}
                label={label}
                title={`${title} ${count}?`}
                text={text}
                confirmLabel={confirmLabel}
                isDisabled={ids.length === 0}
                isDanger={isDanger}
                onConfirm={() => void run(ids, done, work).then(onEnd)}
              />
            ))}
            <button type="button" class="plain" onClick={onClear}>
              Clear selection
            </button>
          </>
        )}
      </div>
    </section>
  );
}

function progressText({ done, failed, count }: NonNullable<Bulk['progress']>): string {
  const all = `${done} of ${count} done`;
  return failed > 0 ? `${all}, ${failed} failed and still selected` : all;
}

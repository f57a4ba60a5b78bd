import { useCallback, useEffect, useState } from 'preact/hooks';
import { listSandboxAccounts, listSandboxChats, type SandboxAccount, scanQrCode } from '../api/sandbox.ts';
import { Card } from '../parts/card.tsx';
import { formatTime } from '../parts/format.ts';
import { ActionResult, useAction } from '../parts/use-action.tsx';
import { usePolling } from '../parts/use-polling.ts';

const chatsIntervalMs = 2_000;
const chatLimit = 4;
/** More accounts than these stand in a list to choose from. */
const maxSegments = 5;

/** A phone of the sandbox: it scans the QR code with one click, and shows the chats of its account. */
export function SandboxPhone({ sandboxUrl, qrcode }: { sandboxUrl: string; qrcode: string }) {
  const [accounts, setAccounts] = useState<SandboxAccount[]>([]);
  const [userId, setUserId] = useState('');
  const [lastScan, setLastScan] = useState({ userId: '', qrcode: '' });
  const { isBusy, result, run } = useAction();
  useEffect(() => {
    listSandboxAccounts(sandboxUrl).then(
      (found) => {
        setAccounts(found);
        setUserId(found[0]?.userId ?? '');
      },
      () => undefined,
    );
  }, [sandboxUrl]);
  const loadChats = useCallback(
    (signal: AbortSignal) => listSandboxChats(sandboxUrl, userId, signal),
    [sandboxUrl, userId],
  );
  const { value: chats } = usePolling(userId === '' ? undefined : loadChats, chatsIntervalMs);
  const account = accounts.find((one) => one.userId === userId);
  // The result of a scan is about one account and one QR code. It is hidden when another one is shown.
  const isLastScanShown = lastScan.userId === userId && (qrcode === '' || lastScan.qrcode === qrcode);
  const firstName = account === undefined ? '' : firstNameOf(account);
  return (
    <Card title="Sandbox phone" id="phone" aside={<a href={sandboxUrl}>Open phone page</a>}>
      <AccountChoice accounts={accounts} userId={userId} onChange={setUserId} />
      {qrcode !== '' && account !== undefined && (
        <button
          type="button"
          class="primary wide"
          disabled={isBusy}
          onClick={() =>
            void run(async () => {
              setLastScan({ userId, qrcode });
              await scanQrCode(sandboxUrl, userId, qrcode);
              return `${firstName}’s phone scanned the code.`;
            })
          }
        >
          {`Scan with ${firstName}’s phone`}
        </button>
      )}
      <ActionResult result={isLastScanShown ? result : undefined} />
      {account !== undefined && (
        <>
          <h3>{`${firstName}’s chats`}</h3>
          <ul class="chats" aria-live="polite">
            {(chats ?? []).slice(0, chatLimit).map(({ peer, title, unread, last }) => (
              <li key={peer}>
                <span class="chat-title">{title}</span>
                <span class="muted chat-time">{last && formatTime(last.date)}</span>
                <span class="chat-text muted">
                  {last && `${last.out ? 'You: ' : ''}${last.text || last.media?.kind || 'Message'}`}
                </span>
                {unread > 0 && (
                  <span class="unread">
                    {unread}
                    <span class="visually-hidden"> unread</span>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

interface AccountChoiceProps {
  accounts: readonly SandboxAccount[];
  userId: string;
  onChange: (userId: string) => void;
}

function AccountChoice({ accounts, userId, onChange }: AccountChoiceProps) {
  if (accounts.length > maxSegments) {
    return (
      <label>
        <span class="visually-hidden">Account</span>
        <select value={userId} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {accounts.map((one) => (
            <option key={one.userId} value={one.userId}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">Account</legend>
      {accounts.map((one) => (
        <label key={one.userId}>
          <input type="radio" name="phone" checked={one.userId === userId} onChange={() => onChange(one.userId)} />
          <span>{firstNameOf(one)}</span>
        </label>
      ))}
    </fieldset>
  );
}

const firstNameOf = ({ name }: SandboxAccount): string => name.split(' ')[0] ?? '';

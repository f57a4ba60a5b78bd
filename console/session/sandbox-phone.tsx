import { useCallback, useEffect, useState } from 'preact/hooks';
import { type SandboxAccount, sandboxAccounts, sandboxChats, scan } from '../api/sandbox.ts';
import { time } from '../parts/format.ts';
import { Card, Said, useDoing } from '../parts/use-action.tsx';
import { usePolled } from '../parts/use-polling.ts';

const chatsEveryMs = 2_000;
const chatsShown = 4;

/** A phone of the sandbox: it scans with one click, and shows what arrives. */
export function Phone({ sandboxUrl, qrcode }: { sandboxUrl: string; qrcode: string }) {
  const [accounts, setAccounts] = useState<SandboxAccount[]>([]);
  const [userId, setUserId] = useState('');
  /** The code that was scanned last: what was said of it is of no interest once there is another one. */
  const [scanned, setScanned] = useState('');
  const { isBusy, said, run } = useDoing();
  useEffect(() => {
    sandboxAccounts(sandboxUrl).then(
      (found) => {
        setAccounts(found);
        setUserId(found[0]?.userId ?? '');
      },
      () => undefined,
    );
  }, [sandboxUrl]);
  const read = useCallback((signal: AbortSignal) => sandboxChats(sandboxUrl, userId, signal), [sandboxUrl, userId]);
  const { value: chats } = usePolled(userId === '' ? undefined : read, chatsEveryMs);
  const account = accounts.find((one) => one.userId === userId);
  const firstName = account?.name.split(' ')[0] ?? '';
  return (
    <Card title="Sandbox phone" id="phone" class="phone" aside={<a href={sandboxUrl}>Open</a>}>
      <fieldset class="segments">
        <legend class="hidden">Whose phone</legend>
        {accounts.map(({ userId: own, name }) => (
          <label key={own}>
            <input type="radio" name="phone" checked={own === userId} onChange={() => setUserId(own)} />
            <span>{name.split(' ')[0]}</span>
          </label>
        ))}
      </fieldset>
      {qrcode !== '' && account !== undefined && (
        <button
          type="button"
          class="primary wide"
          disabled={isBusy}
          onClick={() =>
            void run(async () => {
              setScanned(qrcode);
              await scan(sandboxUrl, userId, qrcode);
              return `${firstName} has scanned the code.`;
            })
          }
        >
          {`Scan with ${firstName}’s phone`}
        </button>
      )}
      <Said said={qrcode === '' || qrcode === scanned ? said : undefined} />
      {account !== undefined && (
        <>
          <h3>{`${firstName}’s chats`}</h3>
          <ul class="chats" aria-live="polite">
            {(chats ?? []).slice(0, chatsShown).map(({ peer, title, unread, last }) => (
              <li key={peer}>
                <span class="chat-title">{title}</span>
                <span class="quiet chat-time">{last && time(last.date)}</span>
                <span class="chat-text quiet">
                  {last && `${last.out ? 'You: ' : ''}${last.text || last.media?.kind || 'Message'}`}
                </span>
                {unread > 0 && (
                  <span class="unread">
                    {unread}
                    <span class="hidden"> unread</span>
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

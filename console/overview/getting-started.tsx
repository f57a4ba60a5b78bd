import { Card } from '../parts/card.tsx';

/** The first steps, while there is no session. */
export function GettingStarted({ hasSandbox }: { hasSandbox: boolean }) {
  return (
    <Card title="Getting started" id="getting-started">
      <ol class="steps">
        <li>
          <strong>Create a session.</strong> A session logs in one Telegram account. Its QR code appears after a moment.
        </li>
        <li>
          <strong>Scan the QR code</strong>{' '}
          {hasSandbox
            ? 'with a phone of the sandbox. One click does it.'
            : 'with the Telegram app: Settings → Devices → Link Desktop Device.'}
        </li>
        <li>
          <strong>Send a message</strong> when the session is connected.
        </li>
      </ol>
    </Card>
  );
}

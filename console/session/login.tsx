import { useState } from 'preact/hooks';
import { postCode, postPassword, postPhone } from '../api/sessions.ts';
import type { AuditEntry, Session } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { ActionResult, useAction } from '../parts/use-action.tsx';

interface Props {
  id: string;
  state: string;
  session: Session | undefined;
  lastEvent: AuditEntry | undefined;
}

/** The next step of the login, if there is one: a QR code to scan, a login code, or the two-step password. */
export function Login({ id, state, session, lastEvent }: Props) {
  const refusal = lastEvent?.type === 'LoginRefused' ? (lastEvent.data['reason'] as string) : undefined;
  if (state === 'qrPending') {
    return (
      <>
        <QrCode qrcode={session?.qrcode ?? ''} refusal={refusal} />
        <PhoneForm id={id} />
      </>
    );
  }
  if (state === 'codeRequired') return <CodeForm id={id} sentTo={session?.codeSentTo ?? ''} />;
  return state === 'passwordRequired' ? <PasswordForm id={id} hint={session?.passwordHint ?? ''} /> : null;
}

function QrCode({ qrcode, refusal }: { qrcode: string; refusal: string | undefined }) {
  const waiting =
    refusal === undefined
      ? 'Preparing the QR code…'
      : `Telegram refuses logins with this API ID: ${refusal}. The gateway's log says what to do.`;
  return (
    <Card title="Scan to log in" id="login">
      <div class="qr">
        {qrcode === '' ? (
          <p class="muted" role="status">
            {waiting}
          </p>
        ) : (
          <img src={`data:image/png;base64,${qrcode}`} alt="QR code: scan it with the Telegram app" />
        )}
      </div>
      <p class="muted">
        On the phone: <strong>Settings → Devices → Link Desktop Device</strong>. The code changes about every 30
        seconds.
      </p>
    </Card>
  );
}

function PasswordForm({ id, hint }: { id: string; hint: string }) {
  const [password, setPassword] = useState('');
  const { isBusy, result, run } = useAction();
  return (
    <Card title="Two-step password" id="password">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            setPassword('');
            await postPassword(id, password);
            return 'Password accepted.';
          });
        }}
      >
        <p class="muted">
          This account also requires its two-step password. The gateway passes the password to Telegram and does not
          store it.
        </p>
        <label>
          Password
          <input
            type="password"
            autocomplete="off"
            required
            value={password}
            aria-describedby={hint === '' ? undefined : 'hint'}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </label>
        {hint !== '' && (
          <p id="hint" class="muted">
            Hint: <strong>{hint}</strong>
          </p>
        )}
        <button type="submit" class="primary" disabled={isBusy}>
          Log in
        </button>
        <ActionResult result={result} />
      </form>
    </Card>
  );
}

function PhoneForm({ id }: { id: string }) {
  const [phone, setPhone] = useState('');
  const { isBusy, result, run } = useAction();
  return (
    <Card title="Or log in by a code" id="phone-login">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            await postPhone(id, phone);
            return 'Code sent.';
          });
        }}
      >
        <label>
          Phone number
          <input
            type="tel"
            autocomplete="off"
            required
            value={phone}
            onInput={(event) => setPhone(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={isBusy}>
          Send a code
        </button>
        <ActionResult result={result} />
      </form>
    </Card>
  );
}

const waysToSend: Readonly<Record<string, string>> = {
  app: 'in the Telegram app',
  sms: 'as a text message',
  call: 'by a call',
  email: 'to the e-mail address of the account',
  fragment: 'on fragment.com',
};

function CodeForm({ id, sentTo }: { id: string; sentTo: string }) {
  const [code, setCode] = useState('');
  const { isBusy, result, run } = useAction();
  return (
    <Card title="Login code" id="code">
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            setCode('');
            await postCode(id, code);
            return 'Code accepted.';
          });
        }}
      >
        <p class="muted">Telegram has sent a code {waysToSend[sentTo] ?? ''}. It has 5 minutes.</p>
        <label>
          Code
          <input
            inputMode="numeric"
            autocomplete="one-time-code"
            required
            value={code}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          Log in
        </button>
        <ActionResult result={result} />
      </form>
    </Card>
  );
}

import type { AuditEntry, Session } from '../../api/types.ts';
import { CodeForm } from './code-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { PhoneForm } from './phone-form.tsx';
import { QrCard } from './qr-card.tsx';

interface Props {
  id: string;
  state: string;
  session: Session | undefined;
  events: readonly AuditEntry[];
}

/** The next step of the login, if there is one: a QR code to scan, a login code, or the two-step password. */
export function Login({ id, state, session, events }: Props) {
  const lastEvent = events.at(-1);
  const refusal = lastEvent?.type === 'LoginRefused' ? (lastEvent.data['reason'] as string) : undefined;
  const issued = events.findLast(({ type }) => type === 'QrIssued');
  if (state === 'qrPending') {
    return (
      <>
        <QrCard
          qrcode={session?.qrcode ?? ''}
          expires={issued?.data['expires'] as string | undefined}
          deadline={lastEvent?.data.deadlines[0]?.due}
          refusal={refusal}
        />
        <PhoneForm id={id} />
      </>
    );
  }
  if (state === 'codeRequired') return <CodeForm id={id} sentTo={session?.codeSentTo ?? ''} />;
  return state === 'passwordRequired' ? <PasswordForm id={id} hint={session?.passwordHint ?? ''} /> : null;
}

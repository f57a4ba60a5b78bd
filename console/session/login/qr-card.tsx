import { useRef } from 'preact/hooks';
import { Card } from '../../parts/card.tsx';
import { epochMs, formatCountdown } from '../../parts/format.ts';
import { useNow } from '../../parts/use-now.ts';

interface Props {
  /** PNG in base64; empty until there is one. */
  qrcode: string;
  /** When Telegram stops taking this code; undefined if it is not known. */
  expires: string | undefined;
  /** When the session is deleted unless a code is scanned; undefined if it is not known. */
  deadline: string | undefined;
  /** Why Telegram refuses logins with this API ID; undefined if it does not. */
  refusal: string | undefined;
}

/** The QR code, as large as its card, with the time that is left to scan it and any. */
export function QrCard({ qrcode, expires, deadline, refusal }: Props) {
  const now = useNow();
  const frame = useRef<HTMLDivElement>(null);
  const waiting =
    refusal === undefined
      ? 'Preparing the QR code…'
      : `Telegram refuses logins with this API ID: ${refusal}. The gateway's log says what to do.`;
  return (
    <Card title="Scan to log in" id="login" class="qr-card">
      <div class="qr" ref={frame}>
        {qrcode === '' ? (
          <p class="muted" role="status">
            {waiting}
          </p>
        ) : (
          <img src={`data:image/png;base64,${qrcode}`} alt="QR code: scan it with the Telegram app" />
        )}
      </div>
      <div class="qr-times">
        {qrcode !== '' && expires !== undefined && <TimeLeft name="Next code in" left={epochMs(expires) - now} />}
        {deadline !== undefined && <TimeLeft name="Time left to scan" left={epochMs(deadline) - now} />}
      </div>
      {qrcode !== '' && document.fullscreenEnabled && (
        <div class="actions">
          <button type="button" onClick={() => void frame.current?.requestFullscreen()}>
            Full screen
          </button>
        </div>
      )}
      <p class="muted">
        On the phone: <strong>Settings → Devices → Link Desktop Device</strong>.
      </p>
    </Card>
  );
}

function TimeLeft({ name, left }: { name: string; left: number }) {
  return (
    <p>
      <span class="muted">{name}</span>
      <strong class="countdown">{formatCountdown(left)}</strong>
    </p>
  );
}

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/request.ts';
import { epochMs, formatCountdown } from '../parts/format.ts';
import { useNow } from '../parts/use-now.ts';
import { usePolling } from '../parts/use-polling.ts';
import { chooseTexts } from './choose-texts.ts';
import { getLink, openSession, type ShownLink, sendCode, sendPassword, sendPhone } from './link-api.ts';
import { LinkForm } from './link-form.tsx';
import type { LinkTexts } from './texts/link-texts.ts';

const pollMs = 2_000;
const notFound = 404;

/** What a customer sees who opens a link: the way to connect an account, and nothing else of the gateway. */
export function CustomerPage() {
  const { language, texts } = useMemo(() => chooseTexts(navigator.languages), []);
  const { value, error, refresh } = usePolling(getLink, pollMs);
  const hasBegun = useRef(false);
  if (value !== undefined && loginStates.has(value.state)) hasBegun.current = true;
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = texts.title;
  }, [language, texts]);
  const isUnknown = error instanceof ApiError && error.status === notFound;
  return (
    <div class="link">
      <h1>{texts.title}</h1>
      {isUnknown ? (
        <p role="status">{texts.notFound}</p>
      ) : (
        <>
          {error !== undefined && (
            <p class="error" role="alert">
              {texts.offline}
            </p>
          )}
          {value !== undefined && <Step link={value} texts={texts} refresh={refresh} hasBegun={hasBegun.current} />}
        </>
      )}
    </div>
  );
}

interface StepProps {
  link: ShownLink;
  texts: LinkTexts;
  /** Asks the gateway for the state now. */
  refresh: () => void;
}

/** States of a login that goes on. */
const loginStates: ReadonlySet<ShownLink['state']> = new Set(['qrPending', 'codeRequired', 'passwordRequired']);

/** @param hasBegun the page has seen the login: then `used` says that it has succeeded */
function Step({ link, texts, refresh, hasBegun }: StepProps & { hasBegun: boolean }) {
  const { state, deadline } = link;
  if (state === 'used' && !hasBegun) return <p role="status">{texts.used}</p>;
  if (state === 'disconnected') return <p role="status">{texts.reconnecting}</p>;
  if (state === 'connected' || state === 'used') {
    return (
      <div role="status">
        <p class="done">{texts.connected}</p>
        <p class="muted">{texts.connectedNote}</p>
      </div>
    );
  }
  return (
    <>
      {state === 'waiting' && <Start link={link} texts={texts} refresh={refresh} />}
      {state === 'qrPending' && <Scan qrcode={link.qrcode} texts={texts} refresh={refresh} />}
      {state === 'codeRequired' && (
        <>
          <p class="muted">{texts.codeSent[link.codeSentTo as keyof LinkTexts['codeSent']]}</p>
          <LinkForm
            texts={texts}
            label={texts.code}
            button={texts.logIn}
            input={{ inputMode: 'numeric', autocomplete: 'one-time-code' }}
            submit={sendCode}
            onDone={refresh}
          />
        </>
      )}
      {state === 'passwordRequired' && (
        <>
          <p class="muted">{texts.passwordNote}</p>
          <LinkForm
            texts={texts}
            label={texts.password}
            button={texts.logIn}
            input={{ type: 'password', autocomplete: 'current-password' }}
            submit={sendPassword}
            onDone={refresh}
          />
        </>
      )}
      {deadline !== '' && <Countdown until={deadline} texts={texts} />}
    </>
  );
}

/** Nothing is created before the button is pressed: programs that preview links open this page too. */
function Start({ link: { sessionsLeft }, texts, refresh }: StepProps) {
  const [isAgain] = useState(() => sessionsLeft < maxSessions);
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  if (sessionsLeft === 0) return <p role="status">{texts.usedUp}</p>;
  const start = async (): Promise<void> => {
    setBusy(true);
    setFailed(false);
    try {
      await openSession();
      refresh();
    } catch {
      setFailed(true);
    }
    setBusy(false);
  };
  return (
    <>
      <p class="muted">{isAgain ? texts.timeIsOver : texts.intro}</p>
      <button type="button" class="primary wide" disabled={isBusy} onClick={() => void start()}>
        {isAgain ? texts.startAgain : texts.start}
      </button>
      {hasFailed && (
        <p class="error" role="alert">
          {texts.offline}
        </p>
      )}
    </>
  );
}

function Scan({ qrcode, texts, refresh }: { qrcode: string; texts: LinkTexts; refresh: () => void }) {
  return (
    <>
      <div class="qr">
        {qrcode === '' ? (
          <p role="status">{texts.preparing}</p>
        ) : (
          <img src={`data:image/png;base64,${qrcode}`} alt={texts.qrAlt} />
        )}
      </div>
      <ol class="steps">
        {texts.scanSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <details>
        <summary>{texts.orByCode}</summary>
        <LinkForm
          texts={texts}
          label={texts.phone}
          button={texts.sendCode}
          input={{ type: 'tel', autocomplete: 'tel' }}
          submit={sendPhone}
          onDone={refresh}
        />
      </details>
    </>
  );
}

function Countdown({ until, texts }: { until: string; texts: LinkTexts }) {
  const now = useNow();
  return (
    <p class="countdown muted">
      {texts.timeLeft} <time>{formatCountdown(epochMs(until) - now)}</time>
    </p>
  );
}

/** As many sessions as a link can make (OS5). */
const maxSessions = 10;

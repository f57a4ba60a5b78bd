import { useCallback, useEffect } from 'preact/hooks';
import { connectNow, getConnection } from '../../api/operator.ts';
import { useLoaded } from '../../live/use-loaded.ts';
import { useVisible } from '../../live/use-visible.ts';
import { Card } from '../../parts/card.tsx';
import { Fact } from '../../parts/fact.tsx';
import { epochMs, formatCountdown } from '../../parts/format.ts';
import { ActionResult, useAction } from '../../parts/use-action.tsx';
import { useNow } from '../../parts/use-now.ts';

/** While an attempt is under way, its outcome is asked for. */
const attemptMs = 1_000;
/** The clock of this computer may be behind. */
const longestMs = 10_000;

/** Why an attempt fails, in words; others are shown as the gateway names them. */
const causes: Readonly<Record<string, string>> = {
  unreachable: 'Telegram cannot be reached',
  'no-answer': 'Telegram does not answer',
  'proxy-unreachable': 'The session’s proxy cannot be reached',
  'proxy-refused': 'The session’s proxy refuses the connection',
  'proxy-auth-failed': 'The session’s proxy refuses its user name or password',
};

/** The attempts of a disconnected session to connect: how many, why they fail, when the next one is due. */
export function ReconnectCard({ id, reason }: { id: string; reason: string }) {
  const now = useNow();
  const { isBusy, result, run } = useAction();
  const load = useCallback((signal: AbortSignal) => getConnection(id, signal), [id]);
  const { value: connection, reload } = useLoaded(load, 0);
  const { attempts = 0, cause = '', nextAttempt = '' } = connection ?? {};
  const isVisible = useVisible();
  // No event tells of attempts: the next answer is there after the next one.
  useEffect(() => {
    if (!isVisible || connection === undefined) return;
    const waitMs = nextAttempt === '' ? attemptMs : epochMs(nextAttempt) - Date.now() + attemptMs;
    const timer = setTimeout(reload, Math.min(longestMs, Math.max(attemptMs, waitMs)));
    return () => clearTimeout(timer);
  }, [connection, nextAttempt, isVisible, reload]);
  const shownCause = cause || reason;
  const tryNow = async (): Promise<undefined> => {
    await connectNow(id);
    reload();
  };
  return (
    <Card title="Reconnecting" id="reconnect">
      <dl class="facts">
        <Fact name="Attempt">{attempts + 1}</Fact>
        <Fact name="Next try">{nextAttempt === '' ? 'now' : `in ${formatCountdown(epochMs(nextAttempt) - now)}`}</Fact>
        <Fact name="Cause">
          {causes[shownCause] ?? shownCause} <code class="event-type muted">{shownCause}</code>
        </Fact>
      </dl>
      <div class="actions">
        <button
          type="button"
          class="primary"
          aria-disabled={nextAttempt === ''}
          disabled={isBusy}
          onClick={() => void run(tryNow)}
        >
          Try now
        </button>
      </div>
      <ActionResult result={result} />
    </Card>
  );
}

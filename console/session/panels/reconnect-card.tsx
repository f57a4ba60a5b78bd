import { useCallback } from 'preact/hooks';
import { connectNow, getConnection } from '../../api/operator.ts';
import { Card } from '../../parts/card.tsx';
import { Fact } from '../../parts/fact.tsx';
import { epochMs, formatCountdown } from '../../parts/format.ts';
import { ActionResult, useAction } from '../../parts/use-action.tsx';
import { useNow } from '../../parts/use-now.ts';
import { usePolling } from '../../parts/use-polling.ts';

const intervalMs = 1_000;

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
  const { value: connection, refresh } = usePolling(load, intervalMs);
  const { attempts = 0, cause = '', nextAttempt = '' } = connection ?? {};
  const shownCause = cause || reason;
  const tryNow = async (): Promise<undefined> => {
    await connectNow(id);
    refresh();
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

import type { Session, SessionSummary } from '../../api/types.ts';
import { Card } from '../../parts/card.tsx';
import { Fact } from '../../parts/fact.tsx';
import { formatDateTime } from '../../parts/format.ts';

interface Props {
  id: string;
  summary: SessionSummary | undefined;
  /** With the personal fields; undefined without the session's credentials. */
  session: Session | undefined;
}

/** The names of the session and of its account; empty ones are left out. */
export function SessionFacts({ id, summary, session }: Props) {
  const phone = session?.phone ?? '';
  const username = session?.username ?? '';
  const facts: [name: string, value: string | undefined][] = [
    ['Session ID', id],
    ['Label', summary?.label],
    ['External ID', summary?.externalId],
    ['Tenant', summary?.tenant],
    ['Created', summary && formatDateTime(summary.created)],
    ['Phone', phone && `+${phone}`],
    ['Username', username && `@${username}`],
    ['Telegram user ID', session?.generatedId],
    ['Proxy', session?.proxy?.url],
    ...Object.entries(session?.metadata ?? {}),
  ];
  return (
    <Card title="Details" id="details">
      <dl class="pairs">
        {facts.map(
          ([name, value]) =>
            value !== undefined &&
            value !== '' && (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ),
        )}
      </dl>
    </Card>
  );
}

import { onTestFinished } from 'vitest';
import { startWebServer } from '../kit/web-server.ts';

/** A webhook's endpoint that takes everything. An event that comes once more has the same ID, and counts once. */
export interface ToldEndpoint {
  url: string;
  /** The texts `written {user} …` of a user, in the order in which they came. */
  textsOf(userId: string): readonly string[];
  /** Events of a session that name one before them that did not come. */
  gapsOf(sessionId: string): string[];
}

interface Envelope {
  id: string;
  seq: number;
  previous: number;
  session: { id: string };
}

export async function openToldEndpoint(): Promise<ToldEndpoint> {
  const texts = new Map<string, string[]>();
  const ids = new Set<string>();
  const envelopes: Envelope[] = [];
  const server = await startWebServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const envelope = JSON.parse(body) as Envelope;
      const [text, of = ''] = /written (\w+) \d+/.exec(body) ?? [];
      if (!ids.has(envelope.id)) {
        envelopes.push(envelope);
        if (text !== undefined) texts.set(of, [...(texts.get(of) ?? []), text]);
      }
      ids.add(envelope.id);
      response.end();
    });
  });
  onTestFinished(() => server.close());
  return {
    url: server.url,
    textsOf: (userId) => texts.get(userId) ?? [],
    gapsOf: (sessionId) => {
      const own = envelopes.filter(({ session }) => session.id === sessionId).toSorted((a, b) => a.seq - b.seq);
      return own.flatMap(({ seq, previous }, at) => {
        const before = own[at - 1]?.seq ?? previous;
        return before === previous ? [] : [`event ${seq} of ${sessionId} is behind ${previous}, not ${before}`];
      });
    },
  };
}

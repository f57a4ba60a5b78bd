import autocannon from 'autocannon';
import type { ChildProgram } from './child-program.ts';
import type { Credentials } from './live-gateway.ts';
import { recipient, sampleText } from './texts.ts';

/** Autocannon looks so often whether it is done. By default it does so each second, and the gateway then rests meanwhile. */
const lookMs = 20;

/** Sends texts through a gateway. @throws Error one of them was refused */
export async function sendTexts(
  { url }: Pick<ChildProgram, 'url'>,
  headers: Credentials,
  { count, inFlight }: { count: number; inFlight: number },
): Promise<void> {
  const result = await autocannon({
    url: `${url}/message`,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ username: recipient, type: 'text', text: sampleText }),
    connections: inFlight,
    amount: count,
    sampleInt: lookMs,
  });
  if (result['2xx'] !== count) throw new Error(`only ${result['2xx']} of ${count} texts were sent`);
}

/**
 * Asks for a session again and again.
 * @returns how many responses came, and in how many seconds. @throws Error a request has failed
 */
export async function pollSession(
  { url }: Pick<ChildProgram, 'url'>,
  headers: Credentials,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<{ responses: number; seconds: number }> {
  const polled = await autocannon({
    url: `${url}/session`,
    headers,
    connections,
    duration: seconds,
    sampleInt: lookMs,
  });
  if (polled['2xx'] === 0 || polled.non2xx > 0 || polled.errors > 0) throw new Error(`${url}/session has failed`);
  return { responses: polled['2xx'], seconds: polled.duration };
}

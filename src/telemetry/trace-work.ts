import type { TraceFact } from '../../actors/runtime/mailbox-job.ts';
import type { TraceCall } from '../telegram/port/trace-call.ts';
import { inside, type Tracer, traced } from './tracer.ts';

/** Adds requests to Telegram to traces, with all their retries in one span. */
export function traceCalls(tracer: Tracer): TraceCall {
  return (request, dc, work) => traced(tracer, request, { kind: 'client', attributes: aboutCall(request, dc) }, work);
}

const aboutCall = (request: string, dc: number | undefined) => ({
  'rpc.system': 'mtproto',
  'rpc.method': request,
  'telegram.dc': dc,
});

/** Adds the facts that requests send to sessions to traces, including their wait in the mailbox. */
export function watchFacts(tracer: Tracer): TraceFact {
  return (sessionId) => {
    const span = tracer.within('session', { attributes: { 'gateway.session': sessionId } });
    return span && ((work) => inside(span, work));
  };
}

import type { TraceFact } from '../../actors/runtime/mailbox-job.ts';
import type { TraceCall } from '../telegram/port/trace-call.ts';
import { inside, type Tracer, traced } from './tracer.ts';

/** Has what is asked of Telegram appear in traces, with all its repetitions in one span. */
export function traceCalls(tracer: Tracer): TraceCall {
  return (request, dc, work) =>
    traced(tracer, request, { kind: 'client', attributes: { 'rpc.method': request, 'telegram.dc': dc } }, work);
}

/** Has the facts that requests bring to sessions appear in traces, from the moment that they wait for their turn. */
export function watchFacts(tracer: Tracer): TraceFact {
  return (sessionId) => {
    const span = tracer.within('session', { attributes: { 'gateway.session': sessionId } });
    return span && ((work) => inside(span, work));
  };
}

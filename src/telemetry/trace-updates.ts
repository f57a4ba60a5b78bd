import type { UpdateRecord, UpdateRecording } from '../telegram/port/updates.ts';
import { inside, type Tracer } from './tracer.ts';

/** Makes a trace of each batch of updates that Telegram sends, until it is recorded. */
export function traceUpdates(recording: UpdateRecording, tracer: Tracer): UpdateRecording {
  return {
    open: (sessionId, login, onWanted) => tracedRecord(recording.open(sessionId, login, onWanted), sessionId, tracer),
  };
}

function tracedRecord(record: UpdateRecord, sessionId: string, tracer: Tracer): UpdateRecord {
  return {
    get isWanted() {
      return record.isWanted;
    },
    mayWant: (types, kind) => record.mayWant(types, kind),
    selection: () => record.selection(),
    channels: () => record.channels(),
    live: (update) => record.live(update),
    resume: () => record.resume(),
    continueFrom: (account) => record.continueFrom(account),
    known: () => record.known(),
    record(updates, ...rest) {
      if (updates.length === 0 || !record.isWanted) return record.record(updates, ...rest);
      const attributes = {
        'gateway.session': sessionId,
        'gateway.updates': updates.length,
        'gateway.update.types': [...new Set(updates.map(({ type }) => type))].join(' '),
      };
      return inside(tracer.begin('updates', { kind: 'consumer', attributes }), () => record.record(updates, ...rest));
    },
    close: () => record.close(),
  };
}

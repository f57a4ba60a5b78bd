import type { AccountUpdate, UpdateRecording } from '../../src/telegram/port/updates.ts';

/** Records everything from the first moment on, in memory. */
export function recordingInto(updates: AccountUpdate[]): UpdateRecording {
  return {
    open: () => ({
      isWanted: true,
      resume: async () => undefined,
      record: async (more) => void updates.push(...more),
      close: () => {},
    }),
  };
}

/** Of the new messages among them. */
export const textsOf = (updates: readonly AccountUpdate[]): string[] =>
  updates.flatMap((update) => (update.type === 'message' ? [update.message.text] : []));

import type { AccountUpdate, UpdatePosition, UpdateRecording } from '../../../src/telegram/port/updates.ts';

/** Records everything from the first moment on, in memory. */
export function recordingInto(updates: AccountUpdate[]): UpdateRecording {
  let position: UpdatePosition | undefined;
  return {
    open: () => ({
      isWanted: true,
      // What the defaults of a webhook want.
      mayWant: (_types, kind) => kind !== 'group' && kind !== 'channel',
      selection: async () => () => true,
      channels: async () => new Map(),
      live: () => {},
      resume: async () => position,
      async record(more, _from, to) {
        updates.push(...more);
        position = to;
      },
      continueFrom: async () => undefined,
      known: async () => undefined,
      close: () => {},
    }),
  };
}

/** Of the new messages among them. */
export const textsOf = (updates: readonly AccountUpdate[]): string[] =>
  updates.flatMap((update) => (update.type === 'message' ? [update.message.text] : []));

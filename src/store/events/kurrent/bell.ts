/** Wakes one waiter. */
interface Bell {
  ring: () => void;
  /** Resolves at the next ring; at once if it has rung since the last wait. */
  rung: () => Promise<void>;
}

export function createBell(): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      hasRung = true;
      wake?.();
    },
    rung: async () => {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      hasRung = false;
      wake = undefined;
    },
  };
}

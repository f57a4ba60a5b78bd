import type { PastSession } from '../../api/types.ts';
import { formatTime } from '../../parts/format.ts';

interface Props {
  /** Undefined: the latest state is shown. */
  replay: PastSession | undefined;
  isDeleted: boolean;
  onLatest: () => void;
}

/** Whether the session is shown as it is, or at which time of the past. */
export function ShownTime({ replay, isDeleted, onLatest }: Props) {
  if (replay === undefined) return <p class="shown-time">{isDeleted ? 'As it ended' : 'As it is now'}</p>;
  return (
    <p class="shown-time">
      {`As of ${formatTime(replay.created)}`}
      <button type="button" class="plain" onClick={onLatest}>
        {isDeleted ? 'Show the end' : 'Back to live'}
      </button>
    </p>
  );
}

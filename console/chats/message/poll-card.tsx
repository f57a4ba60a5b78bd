import type { MessageDoc } from '../../api/types.ts';

interface Props {
  polling: NonNullable<MessageDoc['polling']>;
  /** Votes for the answers at these places, counted from 0; for none, it takes the vote back. */
  onVote: ((places: readonly number[]) => void) | undefined;
}

/** A poll or quiz. Its answers are buttons where one can vote. */
export function PollCard({ polling: { name, options }, onVote }: Props) {
  return (
    <div class="poll">
      <p>
        <strong>{name}</strong>
      </p>
      <ul>
        {options.map((option, place) => (
          <li key={place}>
            {onVote === undefined ? (
              option
            ) : (
              <button type="button" aria-label={`Vote for ${option}`} onClick={() => onVote([place])}>
                {option}
              </button>
            )}
          </li>
        ))}
      </ul>
      {onVote !== undefined && (
        <button type="button" class="plain" onClick={() => onVote([])}>
          Take the vote back
        </button>
      )}
    </div>
  );
}

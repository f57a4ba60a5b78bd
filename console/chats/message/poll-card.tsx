import { useState } from 'preact/hooks';
import type { MessageDoc } from '../../api/types.ts';

type Poll = NonNullable<MessageDoc['poll']>;

interface Props {
  poll: Poll;
  /** Votes for the answers at these places, counted from 0; for none, it takes the vote back. */
  onVote: ((places: readonly number[]) => void) | undefined;
}

/** A poll or quiz, with its results once they are told. Its answers are buttons where one can vote. */
export function PollCard({ poll, onVote }: Props) {
  const { question, options, total, multiple, quiz, closed, explanation } = poll;
  const [places, setPlaces] = useState<readonly number[]>([]);
  const hasVoted = options.some(({ chosen }) => chosen);
  const mayVote = onVote !== undefined && !closed && !(quiz && hasVoted);
  return (
    <div class="poll">
      <p>
        <strong>{question}</strong>
      </p>
      <ul>
        {options.map((option, place) => (
          <li key={place}>
            {mayVote && !multiple && (
              <button type="button" aria-label={`Vote for ${option.text}`} onClick={() => onVote([place])}>
                <Answer option={option} total={total} />
              </button>
            )}
            {mayVote && multiple && (
              <label>
                <input
                  type="checkbox"
                  checked={places.includes(place)}
                  onChange={({ currentTarget: { checked } }) =>
                    setPlaces(checked ? [...places, place] : places.filter((other) => other !== place))
                  }
                />
                <Answer option={option} total={total} />
              </label>
            )}
            {!mayVote && <Answer option={option} total={total} />}
          </li>
        ))}
      </ul>
      <p class="muted">
        {total === 1 ? '1 vote' : `${total} votes`}
        {closed && ', closed'}
      </p>
      {explanation !== '' && <p>{explanation}</p>}
      {mayVote && multiple && (
        <button type="button" disabled={places.length === 0} onClick={() => onVote(places)}>
          Vote
        </button>
      )}
      {mayVote && hasVoted && (
        <button type="button" class="plain" onClick={() => onVote([])}>
          Take the vote back
        </button>
      )}
    </div>
  );
}

/** An answer, with its share of the votes once Telegram tells it. */
function Answer({ option, total }: { option: Poll['options'][number]; total: number }) {
  const { text, votes, chosen, correct } = option;
  const share = votes === null || total === 0 ? 0 : Math.round((100 * votes) / total);
  return (
    <span class="answer">
      <span>
        {text}
        {chosen && <strong> (chosen)</strong>}
        {correct && <strong> (right)</strong>}
      </span>
      {votes !== null && <span class="muted">{`${share} %`}</span>}
    </span>
  );
}

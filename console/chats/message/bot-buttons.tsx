import type { MessageDoc } from '../../api/types.ts';

interface Props {
  rows: MessageDoc['buttons'];
  /** Presses the button at this place, both counted from 0. Without it only those that open an address can be used. */
  onPress: ((row: number, column: number) => void) | undefined;
}

/** The inline buttons of a bot's message. */
export function BotButtons({ rows, onPress }: Props) {
  if (rows.length === 0) return null;
  return (
    <div class="bot-buttons" role="group" aria-label="Buttons of the bot">
      {rows.map((buttons, row) => (
        <div key={row} class="bot-row">
          {buttons.map(({ text, url }, column) => {
            if (/^https?:/.test(url)) {
              return (
                <a key={column} class="bot-button" href={url} target="_blank" rel="noopener noreferrer">
                  {text} <span aria-hidden="true">↗</span>
                </a>
              );
            }
            return onPress === undefined ? (
              <span key={column} class="bot-button">
                {text}
              </span>
            ) : (
              <button key={column} type="button" class="bot-button" onClick={() => onPress(row, column)}>
                {text}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

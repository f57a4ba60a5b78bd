import { useRef } from 'preact/hooks';
import { ErrorTime } from './use-action.tsx';

interface Props {
  class: string;
  text: string;
  /** Default: a screen reader reads it out at once. */
  role?: 'alert' | 'status';
}

/** An error that stands until a request succeeds, with the time at which it was seen first (CO9.5). */
export function LastingError({ class: name, text, role = 'alert' }: Props) {
  const seen = useRef({ text, at: Date.now() });
  if (seen.current.text !== text) seen.current = { text, at: Date.now() };
  return (
    <p class={name} role={role}>
      {text}
      <ErrorTime at={seen.current.at} />
    </p>
  );
}

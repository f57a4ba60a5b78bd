import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../api/request.ts';
import { formatClockTime } from './format.ts';

export interface Action {
  isBusy: boolean;
  /** The result of the last run, as a sentence, and when it was there (milliseconds since 1970). */
  result: { text: string; isError: boolean; at: number } | undefined;
  /** Runs the work, unless another run is in flight. The result is the text it resolves with, or its error's message. */
  run: (work: () => Promise<string | undefined>) => Promise<void>;
}

/** What a form or a button does: one run at a time, and the result of the last one. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<Action['result']>();
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const run = async (work: () => Promise<string | undefined>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setResult(undefined);
    let ended: Action['result'];
    try {
      const text = await work();
      ended = text === undefined ? undefined : { text, isError: false, at: Date.now() };
    } catch (error) {
      ended = { text: capitalized(errorMessage(error)), isError: true, at: Date.now() };
    }
    if (!isMounted.current) return;
    setBusy(false);
    setResult(ended);
  };
  return { isBusy, result, run };
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Shows the result of an action; of an error also its time. A screen reader reads it out when it changes. */
export function ActionResult({ result }: Pick<Action, 'result'>) {
  return (
    <p class={result?.isError === true ? 'action-result error' : 'action-result'} role="status">
      {result?.text}
      {result?.isError === true && <ErrorTime at={result.at} />}
    </p>
  );
}

/** When an error was seen, behind its text. @param at milliseconds since 1970 */
export function ErrorTime({ at }: { at: number }) {
  return <time class="error-time"> {formatClockTime(at)}</time>;
}

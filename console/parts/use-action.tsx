import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api/request.ts';

export interface Doing {
  isBusy: boolean;
  /** What came of it last, in words. */
  said: { text: string; isBad: boolean } | undefined;
  /** Runs it, unless something runs; its words are shown, or its error's. */
  run: (work: () => Promise<string | undefined>) => Promise<void>;
}

/** One thing at a time, and a word about its end. */
export function useDoing(): Doing {
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState<Doing['said']>();
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  const run = async (work: () => Promise<string | undefined>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setSaid(undefined);
    let outcome: Doing['said'];
    try {
      const text = await work();
      outcome = text === undefined ? undefined : { text, isBad: false };
    } catch (error) {
      outcome = { text: sentence(messageOf(error)), isBad: true };
    }
    if (!isThere.current) return;
    setBusy(false);
    setSaid(outcome);
  };
  return { isBusy, said, run };
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Read out when it changes. */
export function Said({ said }: Pick<Doing, 'said'>) {
  return (
    <p class={said?.isBad === true ? 'said bad' : 'said'} role="status">
      {said?.text}
    </p>
  );
}

/** A part of the page with a heading. */
export function Card(props: {
  title: string;
  id: string;
  class?: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { title, id, aside, children } = props;
  return (
    <section class={`card ${props.class ?? ''}`} aria-labelledby={`${id}-title`}>
      <header class="card-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

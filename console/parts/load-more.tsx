import { useEffect, useRef } from 'preact/hooks';

interface Props {
  label: string;
  isBusy: boolean;
  /** Whether the last request failed: then only a click tries again. */
  hasFailed: boolean;
  /** Changes with each page that has arrived. */
  place: string;
  onLoad: () => void;
}

/** A button for the next page. It presses itself when it is scrolled into view. */
export function LoadMore({ label, isBusy, hasFailed, place, onLoad }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const load = useRef(onLoad);
  load.current = onLoad;
  useEffect(() => {
    if (button.current === null || hasFailed) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) load.current();
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [place, hasFailed]);
  return (
    <button ref={button} type="button" class="plain wide load-more" aria-disabled={isBusy} onClick={onLoad}>
      {isBusy ? 'Loading…' : label}
    </button>
  );
}

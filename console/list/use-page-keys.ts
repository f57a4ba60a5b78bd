import { useEffect } from 'preact/hooks';

const writes = 'input:not([type=checkbox]), textarea, select, [contenteditable]';
/** The sessions of the table, or of the list beside a page. */
const rows = '.sessions tbody .cell > a, .session-list .rows a';
const steps: Readonly<Record<string, number>> = { j: 1, k: -1 };

const isShown = (element: HTMLElement): boolean => element.offsetParent !== null;

/**
 * The key `/` leads to the page's search, `j` and `k` to the next session of the list and to the one before; unless something is
 * being written or a dialog is open.
 */
export function usePageKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.matches(writes)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      const target = event.key === '/' ? searchField() : neighbour(steps[event.key]);
      if (target === undefined) return;
      event.preventDefault();
      target.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

const searchField = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('.search input')].find(isShown);

/** Without a focused session it is the first one. @param step undefined: another key was pressed */
function neighbour(step: number | undefined): HTMLElement | undefined {
  if (step === undefined) return undefined;
  const links = [...document.querySelectorAll<HTMLElement>(rows)].filter(isShown);
  const focused = links.findIndex((link) => link === document.activeElement);
  return focused === -1 ? links[0] : links[Math.min(links.length - 1, Math.max(0, focused + step))];
}

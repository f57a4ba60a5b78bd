import { useEffect } from 'preact/hooks';

const writes = 'input, textarea, select, [contenteditable]';

/** The key `/` leads to the page's search, unless something is being written or a dialog is open. */
export function useSearchKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.matches(writes)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      const field = [...document.querySelectorAll<HTMLElement>('.search input')].find(
        (input) => input.offsetParent !== null,
      );
      if (field === undefined) return;
      event.preventDefault();
      field.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

import { useEffect, useRef, useState } from 'preact/hooks';

/** How long after the last key the search begins. */
const pauseMs = 200;

interface Props {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

/** A search that begins when nothing is typed any more. The key `/` leads to it (`usePageKeys`). */
export function SearchField({ label, value, onSearch }: Props) {
  const [text, setText] = useState(value);
  const search = useRef(onSearch);
  search.current = onSearch;
  // Another address has another search.
  const asked = useRef(value);
  useEffect(() => {
    if (value !== asked.current) setText(value);
    asked.current = value;
  }, [value]);
  useEffect(() => {
    if (text === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = text;
      search.current(text);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="search">
      <span class="visually-hidden">{label}</span>
      <input
        type="search"
        placeholder={label}
        aria-keyshortcuts="/"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
}

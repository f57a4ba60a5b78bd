import { useEffect, useState } from 'preact/hooks';
import { copyText } from './copy-text.ts';

/** How long the button says what it did. */
const saidMs = 2_000;

interface Props {
  text: string;
  /** What is copied, for a screen reader: there may be several such buttons. */
  what: string;
}

/** Copies a text to the clipboard, and says so. */
export function CopyButton({ text, what }: Props) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), saidMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => {
    setSaid((await copyText(text)) ? 'Copied' : 'Select the text and copy it');
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      <span aria-live="polite">{said === '' ? 'Copy' : said}</span>
      <span class="visually-hidden"> {what}</span>
    </button>
  );
}

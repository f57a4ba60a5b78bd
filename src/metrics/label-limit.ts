/** More than Telegram's errors that anybody has seen in one place, and few enough for whoever keeps the series. */
const mostNames = 200;
const longestName = 60;

/**
 * Makes a label of a name from outside: numbers that Telegram appends go (`FLOOD_WAIT_120` → `FLOOD_WAIT`), what is no
 * name, and what comes after a great many, is `other`.
 */
export function labelLimit(most = mostNames): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    const label = name.replace(/_\d+$/, '');
    if (known.has(label)) return label;
    if (known.size >= most || label.length > longestName || !/^[A-Za-z][\w.-]*$/.test(label)) return 'other';
    known.add(label);
    return label;
  };
}

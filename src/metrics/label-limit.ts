/** More than the known errors of Telegram, and few enough for a time series database. */
const maxNames = 200;
const maxNameLength = 60;

/**
 * Makes a label of a name from outside: numbers that Telegram appends are removed (`FLOOD_WAIT_120` → `FLOOD_WAIT`);
 * other texts, and names beyond the limit, become `other`.
 */
export function labelLimit(limit = maxNames): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    const label = name.replace(/_\d+$/, '');
    if (known.has(label)) return label;
    if (known.size >= limit || label.length > maxNameLength || !/^[A-Za-z][\w.-]*$/.test(label)) return 'other';
    known.add(label);
    return label;
  };
}

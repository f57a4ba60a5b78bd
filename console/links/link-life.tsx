/** How long a link can last, in hours. */
const lives: readonly [hours: number, name: string][] = [
  [1, '1 hour'],
  [24, '24 hours'],
  [72, '3 days'],
  [168, '7 days'],
];

/** What the API takes if nothing is said. */
export const usualHours = 24;

/** How long a link is to last. */
export function LinkLife({ hours, onChange }: { hours: number; onChange: (hours: number) => void }) {
  return (
    <label>
      Ends after
      <select value={hours} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {lives.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

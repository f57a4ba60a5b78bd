/** The paths of 24 × 24 icons, drawn as lines. */
const paths = {
  pinned: 'M9 4h6l-1 6 3 3v2H7v-2l3-3-1-6ZM12 15v6',
  muted: 'M6 9v7h12V11a6 6 0 0 0-9-5M4 4l16 16M10 19a2 2 0 0 0 4 0',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
};

/** A drawing beside or instead of a text; a screen reader skips it. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

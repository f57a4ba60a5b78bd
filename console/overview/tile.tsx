import type { ComponentChildren } from 'preact';

interface Props {
  name: string;
  /** Where it leads. */
  href: string;
  class?: string;
  /** Below the name. */
  note?: string;
  children: ComponentChildren;
}

/** A number with its name. All of it is a link. */
export function Tile({ name, href, class: className = '', note, children }: Props) {
  return (
    <li>
      <a class={`tile ${className}`} href={href}>
        <span class="tile-value">{children}</span>
        <span class="tile-name">{name}</span>
        {note !== undefined && <span class="tile-note muted">{note}</span>}
      </a>
    </li>
  );
}

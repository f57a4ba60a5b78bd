import type { ComponentChildren } from 'preact';

interface Props {
  title: string;
  id: string;
  class?: string;
  /** Beside the title. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}

/** A section of the page with a heading. */
export function Card({ title, id, class: className = '', aside, children }: Props) {
  return (
    <section class={`card ${className}`} aria-labelledby={`${id}-title`}>
      <header class="card-header">
        <h2 id={`${id}-title`}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

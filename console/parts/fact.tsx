import type { ComponentChildren } from 'preact';

/** A name and a value in a `dl`. */
export function Fact(props: { name: string; class?: string; title?: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd class={props.class} title={props.title}>
        {props.children}
      </dd>
    </div>
  );
}

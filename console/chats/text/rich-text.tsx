import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Entity, type TextNode, textTree } from './text-tree.ts';

/** A text as it was formatted. */
export const RichText = ({ text, entities }: { text: string; entities: readonly Entity[] }) => (
  <Nodes nodes={textTree(text, entities)} />
);

const Nodes = ({ nodes }: { nodes: readonly TextNode[] }) => (
  <>
    {nodes.map((node, place) =>
      typeof node === 'string' ? (
        node
      ) : (
        <Formatted key={place} entity={node.entity}>
          <Nodes nodes={node.children} />
        </Formatted>
      ),
    )}
  </>
);

/** Links of other schemes could be scripts. */
const linkPattern = /^(?:https?|tg|mailto|tel):/i;

function Formatted({ entity, children }: { entity: Entity; children: ComponentChildren }) {
  switch (entity.type) {
    case 'bold':
      return <strong>{children}</strong>;
    case 'italic':
      return <em>{children}</em>;
    case 'underline':
      return <u>{children}</u>;
    case 'strikethrough':
      return <s>{children}</s>;
    case 'spoiler':
      return <Spoiler>{children}</Spoiler>;
    case 'code':
    case 'pre':
      return <code class={entity.type}>{children}</code>;
    case 'blockquote':
    case 'expandable_blockquote':
      return <q class="quoted">{children}</q>;
    case 'text_link':
      if (!linkPattern.test(entity.url ?? '')) return <>{children}</>;
      return (
        <a href={entity.url} target="_blank" rel="noopener noreferrer">
          {children}
        </a>
      );
    case 'text_mention':
    case 'custom_emoji':
      return <span>{children}</span>;
  }
}

/** Hidden until it is pressed. */
function Spoiler({ children }: { children: ComponentChildren }) {
  const [isShown, setShown] = useState(false);
  if (isShown) return <span>{children}</span>;
  return (
    <button type="button" class="spoiler" aria-label="Show the hidden text" onClick={() => setShown(true)}>
      <span aria-hidden="true">{children}</span>
    </button>
  );
}

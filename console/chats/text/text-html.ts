import { type Entity, type TextNode, textTree } from './text-tree.ts';

/** A text and its formatting in the HTML that the gateway reads (`parseMode` `html`). */
export const textHtml = (text: string, entities: readonly Entity[]): string =>
  textTree(text, entities).map(nodeHtml).join('');

function nodeHtml(node: TextNode): string {
  if (typeof node === 'string') return escaped(node);
  const [open, close] = tagsOf(node.entity);
  return `${open}${node.children.map(nodeHtml).join('')}${close}`;
}

function tagsOf(entity: Entity): [open: string, close: string] {
  switch (entity.type) {
    case 'bold':
      return ['<b>', '</b>'];
    case 'italic':
      return ['<i>', '</i>'];
    case 'underline':
      return ['<u>', '</u>'];
    case 'strikethrough':
      return ['<s>', '</s>'];
    case 'spoiler':
      return ['<tg-spoiler>', '</tg-spoiler>'];
    case 'code':
      return ['<code>', '</code>'];
    case 'pre':
      return entity.language
        ? [`<pre><code class="language-${encoded(entity.language)}">`, '</code></pre>']
        : ['<pre>', '</pre>'];
    case 'blockquote':
      return ['<blockquote>', '</blockquote>'];
    case 'expandable_blockquote':
      return ['<blockquote expandable>', '</blockquote>'];
    case 'text_link':
      return [`<a href="${encoded(entity.url ?? '')}">`, '</a>'];
    case 'text_mention':
      return [`<a href="tg://user?id=${entity.userId}">`, '</a>'];
    case 'custom_emoji':
      return [`<tg-emoji emoji-id="${entity.customEmojiId}">`, '</tg-emoji>'];
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** In an attribute these characters would end it or its tag. */
const encoded = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll(/["<>\s]/g, (character) => encodeURIComponent(character));

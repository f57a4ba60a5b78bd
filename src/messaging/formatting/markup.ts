import type { FormattedText, TextEntity } from '../../telegram/port/text.ts';

/** An entity without its place. */
export type Style = TextEntity extends infer Entity
  ? Entity extends TextEntity
    ? Omit<Entity, 'offset' | 'length'>
    : never
  : never;

/**
 * A piece of marked-up text. `source` is how it was written: it is shown if the mark has no partner.
 */
export type Token =
  | { kind: 'text'; shown: string }
  | { kind: 'styled'; shown: string; style: Style }
  /** Marks with the same `name` form a pair. If both are `either`, the second one closes the first. */
  | { kind: 'open' | 'either'; name: string; source: string; style?: Style }
  | { kind: 'close'; name: string; source: string; style?: Style };

/** Pairs the marks, and makes the text and its entities: in UTF-16 units, outer entities first. */
export function assemble(tokens: readonly Token[]): FormattedText {
  const partners = pair(tokens);
  const entities: TextEntity[] = [];
  const starts = new Map<number, number>();
  let text = '';
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'text') {
      text += token.shown;
    } else if (token.kind === 'styled') {
      entities.push({ ...token.style, offset: text.length, length: token.shown.length });
      text += token.shown;
    } else {
      const partner = partners.get(index);
      if (partner === undefined) text += token.source;
      // Stryker disable next-line EqualityOperator: no mark is its own partner
      else if (partner > index) starts.set(index, text.length);
      else addEntity(entities, tokens[partner], token, starts.get(partner) ?? 0, text.length);
    }
  }
  return { text, entities: entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length) };
}

/** The closing mark has the style if the opening one cannot have it: a Markdown link. */
function addEntity(entities: TextEntity[], open: Token | undefined, close: Token, start: number, end: number): void {
  // Stryker disable next-line ConditionalExpression,LogicalOperator: one of the two marks has the style
  const style = ('style' in close ? close.style : undefined) ?? (open && 'style' in open ? open.style : undefined);
  // Stryker disable next-line all: a pair has a style, and something between its marks
  if (style !== undefined && end > start) entities.push({ ...style, offset: start, length: end - start });
}

/** Indexes of the marks of each pair, both ways. A mark that is opened inside a pair and not closed there has no partner. */
function pair(tokens: readonly Token[]): Map<number, number> {
  const partners = new Map<number, number>();
  const open: { name: string; index: number }[] = [];
  /** Open marks by name, so that the stack need not be searched for a name that is not there. */
  const counts = new Map<string, number>();
  const count = (name: string, by: number): number => {
    const now = (counts.get(name) ?? 0) + by;
    counts.set(name, now);
    return now;
  };
  for (const [index, token] of tokens.entries()) {
    // Stryker disable next-line all: a short cut; what has no name has no partner
    if (token.kind === 'text' || token.kind === 'styled') continue;
    const isOpen = count(token.name, 0) > 0;
    if (token.kind === 'open' || (token.kind === 'either' && !isOpen)) {
      open.push({ name: token.name, index });
      count(token.name, 1);
    } else if (isOpen) {
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        count(last.name, -1);
        if (last.name !== token.name) continue;
        // Marks with nothing between them are no markup: `****` is four stars.
        if (index - last.index > 1) partners.set(index, last.index).set(last.index, index);
        break;
      }
    }
  }
  return partners;
}

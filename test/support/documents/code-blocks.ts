/** A fenced block of a document. */
export interface CodeBlock {
  /** As written behind the fence; empty: what is printed. */
  language: string;
  code: string;
  /** Of the fence that opens it, from 1. */
  line: number;
  /** The section that it stands in, without its `#`s. */
  heading: string;
  /** The lines between it and the block or heading before it. */
  above: string;
}

/** What is typed, and what is printed then. */
export interface Step {
  command: string;
  /** Empty: the document does not say. */
  printed: string;
}

/** All fenced blocks of a document, in their order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let heading = '';
  let above: string[] = [];
  let open: CodeBlock | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^```(\w*)/.exec(line);
    if (open !== undefined) {
      if (fence === null) open.code += `${line}\n`;
      else {
        blocks.push(open);
        open = undefined;
        above = [];
      }
    } else if (fence !== null) {
      open = { language: fence[1] ?? '', code: '', line: index + 1, heading, above: above.join('\n').trim() };
    } else if (line.startsWith('#')) {
      heading = line.replace(/^#+ /, '');
      above = [];
    } else above.push(line);
  }
  return blocks;
}

/** The shell blocks among them; a block without a language that follows at once is what it prints. */
export function stepsOf(blocks: readonly CodeBlock[]): Step[] {
  return blocks.flatMap(({ language, code }, index) => {
    if (language !== 'sh') return [];
    const next = blocks[index + 1];
    const isPrinted = next?.language === '' && next.above === '';
    return [{ command: code, printed: isPrinted ? next.code.trim() : '' }];
  });
}

/** Matches text as printed, but for what is new each time: IDs, secrets, dates, and what `…` leaves out. */
export function patternOf(printed: string): RegExp {
  const text = printed
    .replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
    .replaceAll('…', '[^]*')
    .replaceAll(/01[\da-f]{6}-(?:[\da-f]{4}-){3}[\da-f]{12}/g, '[\\da-f-]{36}')
    .replaceAll(/01[\da-f]{6}-/g, '[\\da-f]{8}-')
    .replaceAll(/E_kgH_gEXX\w*/g, '[\\w-]{10,43}')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+\\\.\d{3}Z/g, '[\\dT:.-]{23}Z');
  return new RegExp(`^\\s*${text.replaceAll(/\n/g, '\\s*')}\\s*$`);
}

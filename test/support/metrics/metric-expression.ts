/** What a PromQL expression asks of a metric: `gateway_sessions{state="connected"}`. */
export interface Selector {
  name: string;
  /** Labels that must have just this value. */
  equal: Record<string, string>;
  /** All labels that it looks at, those by which it is grouped included. */
  labels: string[];
}

const grouping = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const matcher = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;
/** A name with its matchers that is no function, which a parenthesis would follow. */
const selector = /(?<![\w:])([A-Za-z_:][\w:]*)(?![\w:])\s*(?:\{([^}]*)\})?(?!\s*\()/g;
const words = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan']);

/** Every metric that an expression asks for, whatever it is called. */
export function selectorsOf(expression: string): Selector[] {
  const grouped = [...expression.matchAll(grouping)].flatMap(([, labels = '']) => labels.split(/[\s,]+/));
  const rest = expression.replaceAll(grouping, ' ').replaceAll(/\[[^\]]*\]/g, ' ');
  return [...rest.matchAll(selector)]
    .filter(([, name = '']) => !words.has(name.toLowerCase()))
    .map(([, name = '', matchers = '']) => {
      const found = [...matchers.matchAll(matcher)];
      return {
        name,
        equal: Object.fromEntries(
          found.filter(([, , how]) => how === '=').map(([, label = '', , value = '']) => [label, value]),
        ),
        labels: [...found.map(([, label = '']) => label), ...grouped].filter((label) => label !== ''),
      };
    });
}

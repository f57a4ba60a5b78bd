// An ignorer of Stryker: what is written to the log, and the texts and names of errors, are not mutated.
const logCall = /(^|\.)#?log\??\.(trace|debug|info|warn|error|fatal)$/;
const texts = new Set(['StringLiteral', 'TemplateLiteral']);

/** `this.#deps.log.warn` of the node of that expression; an empty text of others. */
function nameOf(node) {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'PrivateName') return `#${node.id.name}`;
  if (node.type === 'ThisExpression') return 'this';
  if (node.type.endsWith('MemberExpression')) return `${nameOf(node.object)}.${nameOf(node.property)}`;
  return '';
}

export const ignoreTexts = {
  shouldIgnore({ node, parent, listKey }) {
    if (parent?.type === 'ClassProperty' && parent.key.name === 'name' && texts.has(node.type)) return 'a name';
    if (listKey !== 'arguments') return undefined;
    if (parent.type.endsWith('CallExpression') && logCall.test(nameOf(parent.callee))) return 'it is logged';
    const isError = parent.callee.type === 'Super' || nameOf(parent.callee).endsWith('Error');
    return isError && texts.has(node.type) ? 'the text of an error' : undefined;
  },
};

/** Found by Stryker under this name. */
export const strykerPlugins = [{ kind: 'Ignore', name: 'texts', value: ignoreTexts }];

// Writes sandbox/tl/schema/layer*.tl out of what the installed clients ship: run it after an upgrade of one of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** GramJS ships the schema as text, types first; its layer number is in a file beside. */
function ofGramJs() {
  const text = require('telegram/tl/apiTl.js').trim();
  const { LAYER } = require('telegram/tl/AllTLObjects.js');
  return { layer: LAYER, text: `---types---\n${text}\n` };
}

/** mtcute ships JSON; a predicate is `flags.N`, a vector a modifier, `int53` a long that fits a double. */
function ofMtcute() {
  const core = dirname(createRequire(require.resolve('@mtcute/node')).resolve('@mtcute/core'));
  const schema = JSON.parse(readFileSync(join(core, 'tl/api-schema.json'), 'utf8'));
  const lines = { class: [], method: [] };
  for (const entry of schema.e) {
    const fields = (entry.arguments ?? []).map((argument) => {
      const { predicate, isVector } = argument.typeModifiers ?? {};
      const type = argument.type === 'int53' ? 'long' : argument.type;
      return `${argument.name}:${predicate ? `${predicate}?` : ''}${isVector ? `Vector<${type}>` : type}`;
    });
    const result = entry.type === 'int53' ? 'long' : entry.type;
    const id = (entry.id >>> 0).toString(16).padStart(8, '0');
    lines[entry.kind].push(
      `${[`${entry.name}#${id}`, ...fields].join(' ')} = ${entry.typeModifiers?.isVector ? `Vector<${result}>` : result};`,
    );
  }
  return {
    layer: schema.l,
    text: `---types---\n${lines.class.join('\n')}\n---functions---\n${lines.method.join('\n')}\n`,
  };
}

for (const { layer, text } of [ofGramJs(), ofMtcute()]) {
  const path = `sandbox/tl/schema/layer${layer}.tl`;
  writeFileSync(join(import.meta.dirname, '..', path), text);
  process.stdout.write(`${path}: ${text.split('\n').length} lines\n`);
}

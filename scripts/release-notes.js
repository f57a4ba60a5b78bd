// Prints what CHANGELOG.md says of a version: the text of a release.
//   node scripts/release-notes.js 1.0.0
import { readFileSync } from 'node:fs';

const [version = ''] = process.argv.slice(2);
const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m).slice(1);
const section = sections.find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === version);
const notes = section?.replace(/^.*\n/, '').trim() ?? '';
if (notes === '') {
  console.error(`CHANGELOG.md has nothing of version ${version}`);
  process.exit(1);
}
console.log(notes);

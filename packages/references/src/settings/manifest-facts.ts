import type { ManifestFacts } from '../reference.js';
import { below, type KeyedText } from './keyed-text.js';

const DEPENDENCY_BLOCKS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** Returns what a package.json says about its workspace. */
export function manifestFacts(values: readonly KeyedText[]): ManifestFacts {
  const name = values.find(({ key }) => key === 'name')?.text ?? '';
  const bin = values.some(({ key }) => key === 'bin') ? [name.slice(name.indexOf('/') + 1)] : [];
  return {
    scripts: below(values, 'scripts').map(({ keys, text, line }) => ({
      name: keys.join('.'),
      text: withCommand(values, keys, text),
      line,
    })),
    declared: DEPENDENCY_BLOCKS.flatMap((block) => below(values, block).map(({ keys }) => keys.join('.'))),
    binaries: [...bin, ...below(values, 'bin').flatMap(({ keys }) => (keys.length === 0 ? [] : [keys.join('.')]))],
  };
}

/** With wireit, a script is `wireit`, and its command stands in a block of that name. */
function withCommand(values: readonly KeyedText[], script: readonly string[], text: string): string {
  if (text !== 'wireit') return text;
  return [text, ...below(values, 'wireit', ...script, 'command').map((command) => command.text)].join(' ');
}

/**
 * FOR TESTS. Returns a Yarn 4 lockfile. `lockOf('lib@npm:^1.0.0 -> lib@npm:1.2.0 -> dep@npm:^2.0.0')` locks one entry;
 * what follows the second arrow is the entry's own dependency.
 */
export function lockOf(...entries: readonly string[]): string {
  const blocks = entries.map((entry) => {
    const [key = '', resolution = '', asked = ''] = entry.split(' -> ');
    const version = /@(?:npm:|patch:.*::version=)([^:&]+)/.exec(resolution)?.[1] ?? '0.0.0-use.local';
    const lines = asked
      .split(', ')
      .filter((one) => one !== '')
      .map(dependencyLine);
    const dependencies = lines.length === 0 ? '' : `  dependencies:\n${lines.join('')}`;
    return `"${key}":\n  version: ${version}\n  resolution: "${resolution}"\n${dependencies}  languageName: node\n  linkType: hard\n`;
  });
  return ['__metadata:\n  version: 8\n', ...blocks].join('\n');
}

function dependencyLine(descriptor: string): string {
  const at = descriptor.indexOf('@', 1);
  return `    ${descriptor.slice(0, at)}: "${descriptor.slice(at + 1)}"\n`;
}

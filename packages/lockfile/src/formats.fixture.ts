import fc from 'fast-check';
import type { LockfileText } from './lockfile.js';

// FOR TESTS. Writes one set of packages in the format of each package manager.

/** A package with its dependencies: name -> version, which is locked too. */
export interface Sample {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const NAMES = ['lib', 'dep', '@acme/ui', '@acme/lib', 'x.y_z', 'UPPER'];

/** Sets of packages with one version of each name. Dependencies are packages of the set; cycles are possible. */
export const samples: fc.Arbitrary<readonly Sample[]> = fc
  .subarray(NAMES, { minLength: 1 })
  .chain((names) =>
    fc
      .tuple(...names.map((name) => fc.record({ name: fc.constant(name), version: fc.constantFrom('1.0.0', '2.1.3-beta.1', '10.0.0') })))
      .chain((all) => fc.tuple(...all.map((own) => fc.subarray(all).map((some) => ({ ...own, dependencies: versionsOf(some) }))))),
  );

function versionsOf(some: readonly { readonly name: string; readonly version: string }[]): Record<string, string> {
  return Object.fromEntries(some.map(({ name, version }) => [name, version]));
}

/** Returns the file in each format. */
export const WRITERS: Readonly<Record<string, (all: readonly Sample[]) => LockfileText>> = {
  berry: (all) => ({ name: 'yarn.lock', text: ['__metadata:\n  version: 8\n  cacheKey: 10\n', ...all.map(berryEntry)].join('\n') }),
  classic: (all) => ({ name: 'yarn.lock', text: ['# yarn lockfile v1\n\n', ...all.map(classicEntry)].join('\n') }),
  'npm 3': (all) => {
    const packages = all.map(({ name, ...node }) => [`node_modules/${name}`, node] as const);
    return npmFile({
      lockfileVersion: 3,
      packages: { '': { name: 'root', dependencies: versionsOf(all) }, ...Object.fromEntries(packages) },
    });
  },
  'npm 1': (all) => {
    const nodes = all.map(({ name, version, dependencies }) => [name, { version, requires: dependencies }] as const);
    return npmFile({ lockfileVersion: 1, requires: true, dependencies: Object.fromEntries(nodes) });
  },
  'pnpm 9': (all) => {
    const importer = all.map(({ name, version }) => `      '${name}':\n        specifier: ^1.0.0\n        version: ${version}\n`);
    const packages = all.map(({ name, version }) => `\n  '${name}@${version}':\n    resolution: {integrity: sha512-aa==}\n`);
    const snapshots = all.map((one) => `\n  '${one.name}@${one.version}':\n${pnpmDependencies(one)}`);
    const head = `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n${importer.join('')}`;
    return { name: 'pnpm-lock.yaml', text: `${head}\npackages:\n${packages.join('')}\nsnapshots:\n${snapshots.join('')}` };
  },
  'pnpm 6': (all) => olderPnpmFile(all, "'6.0'", '@'),
  'pnpm 5': (all) => olderPnpmFile(all, '5.4', '/'),
};

function berryEntry({ name, version, dependencies }: Sample): string {
  const lines = Object.entries(dependencies).map(([to, range]) => `    "${to}": "npm:${range}"\n`);
  const field = lines.length === 0 ? '' : `  dependencies:\n${lines.join('')}`;
  const head = `"${name}@npm:${version}":\n  version: ${version}\n  resolution: "${name}@npm:${version}"\n`;
  return `${head}${field}  checksum: 10/aa\n  languageName: node\n  linkType: hard\n`;
}

function classicEntry({ name, version, dependencies }: Sample): string {
  const quote = (text: string): string => (text.startsWith('@') ? `"${text}"` : text);
  const lines = Object.entries(dependencies).map(([to, range]) => `    ${quote(to)} "${range}"\n`);
  const field = lines.length === 0 ? '' : `  dependencies:\n${lines.join('')}`;
  const archive = `https://registry.example/${name}/-/${version}.tgz#aa`;
  return `${quote(`${name}@${version}`)}:\n  version "${version}"\n  resolved "${archive}"\n  integrity sha512-aa==\n${field}`;
}

function npmFile(lock: object): LockfileText {
  return { name: 'package-lock.json', text: JSON.stringify(lock, undefined, 2) };
}

/** `separator`: between name and version in a key. */
function olderPnpmFile(all: readonly Sample[], version: string, separator: '@' | '/'): LockfileText {
  const direct = all.map(({ name, version }) => `  '${name}': ${version}\n`);
  const entries = all.map(
    (one) => `\n  /${one.name}${separator}${one.version}:\n    resolution: {integrity: sha512-aa==}\n${pnpmDependencies(one)}`,
  );
  return {
    name: 'pnpm-lock.yaml',
    text: `lockfileVersion: ${version}\n\ndependencies:\n${direct.join('')}\npackages:\n${entries.join('')}`,
  };
}

function pnpmDependencies({ dependencies }: Sample): string {
  const lines = Object.entries(dependencies).map(([to, version]) => `      '${to}': ${version}\n`);
  return lines.length === 0 ? '    dev: false\n' : `    dependencies:\n${lines.join('')}`;
}

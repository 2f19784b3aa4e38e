import fc from 'fast-check';
import { LOCK_HEAD } from './lock-text.js';

// FOR TESTS. Random lockfiles: in Yarn's notation, in others, and broken.

/** A line below a field. */
interface Pair {
  readonly name: string;
  readonly range: string;
}

interface Entry {
  readonly descriptors: readonly string[];
  readonly resolution: string;
  readonly dependencies: readonly Pair[];
  readonly peers: readonly Pair[];
  /** Further fields, as in the file. */
  readonly fields: readonly string[];
}

const NAMES = ['app', 'lib', '@acme/core', '@acme/ui', 'lib-long-name-1', 'lib-long-name-2', 'x.y_z'];
const OTHERS = ['react', '@babel/core', 'own', 'lib-long-name-3', '@acme/uix'];
const PLAIN_RANGES = [
  'workspace:^',
  'workspace:*',
  'npm:^1.0.0',
  '^1.0.0',
  'npm:>=1 <2 || 3',
  '*',
  'catalog:',
  'catalog:old',
  'npm:lib@^1.0.0',
];
const PATH_RANGES = [
  'portal:../lib',
  'link:../lib/src',
  '../lib',
  './src',
  'file:../core#../core::hash=1&locator=app%40workspace%3Ap%2Fapp',
];
const ODD_RANGES = ['workspace:p/lib', 'npm:@acme/core@^1', 'patch:lib@npm%3A^1.0.0#./x.patch', 'npm:', '^1, lib@^2'];
const FIELDS = [
  '  bin:\n    lib: ./bin/lib.js\n    "@acme/x": "./x.js"\n',
  '  dependenciesMeta:\n    lib:\n      built: false\n    "@acme/core@1.0.0":\n      unplugged: true\n',
  '  peerDependenciesMeta:\n    lib:\n      optional: true\n',
  '  checksum: 10c0/0123456789abcdef\n',
  '  conditions: (os=linux | os=darwin) & cpu=x64\n',
  '  languageName: unknown\n',
  '  unknownField: "workspace:^"\n',
];
/** Text that Yarn never writes, but a person may. */
const ODD_FIELDS = [
  '  bin:\n    lib: "workspace:^"\n',
  '  bin:\n    nobody: "workspace:^"\n',
  '  optionalDependencies:\n    lib: "npm:^1.0.0"\n    "lib": ^1.0.0\n',
  '  dependencies:\n    lib: "workspace:^"\n',
  '  resolution: "own@workspace:p/own"\n',
  '  \n',
  '    \n',
  '  note: ü\n',
];

const ranges = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PLAIN_RANGES) },
  { weight: 2, arbitrary: fc.constantFrom(...PATH_RANGES) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_RANGES) },
);
const pairs: fc.Arbitrary<readonly Pair[]> = fc.array(fc.record({ name: fc.constantFrom(...NAMES, ...NAMES, ...OTHERS), range: ranges }), {
  maxLength: 5,
});
const rest = { dependencies: pairs, peers: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: pairs }) };
const fields = fc.subarray(FIELDS, { maxLength: 3 });
const keyRanges = fc.subarray(['^1.0.0', 'npm:', 'npm:^1.0.0', 'npm:^1.0.0 || ^2', 'npm:other@workspace:x', 'workspace:*', 'workspace:^'], {
  maxLength: 4,
});

function workspaces(name: string, path: string): fc.Arbitrary<Entry> {
  const resolution = `${name}@workspace:${path}`;
  return fc.record({
    descriptors: keyRanges.map((all) => [...all.map((range) => `${name}@${range}`), resolution]),
    resolution: fc.constant(resolution),
    ...rest,
    fields,
  });
}

const packages: fc.Arbitrary<Entry> = fc.constantFrom(...NAMES, ...OTHERS).chain((name) =>
  fc.record({
    descriptors: fc
      .subarray(['npm:^1.0.0', 'npm:^9', 'npm:react@^1'], { minLength: 1 })
      .map((all) => all.map((range) => `${name}@${range}`)),
    resolution: fc.constant(`${name}@npm:1.0.0`),
    ...rest,
    fields,
  }),
);

/** What Yarn writes for a path in a workspace's dependencies. */
const boundPaths: fc.Arbitrary<Entry> = fc
  .record({
    name: fc.constantFrom('own', 'lib', 'bound'),
    range: fc.constantFrom('portal:../lib', 'link:../lib/src', 'file:../../tools#./a'),
  })
  .map(({ name, range }) => `${name}@${range}::locator=app%40workspace%3Ap%2Fapp`)
  .map((key) => ({ descriptors: [key], resolution: key, dependencies: [], peers: [], fields: [] }));

const entries: fc.Arbitrary<readonly Entry[]> = fc.subarray(NAMES).chain((names) =>
  fc
    .tuple(
      workspaces('root', '.'),
      fc.tuple(...names.map((name) => workspaces(name, `p/${name}`))),
      fc.array(packages, { maxLength: 4 }),
      fc.array(boundPaths, { maxLength: 2 }),
    )
    .chain(([root, members, others, bound]) => {
      const all = [root, ...members, ...others, ...bound];
      // A lockfile with a dependency on a missing workspace is unreadable, which leaves little to test.
      const isThere = ({ name, range }: Pair): boolean => !range.startsWith('workspace:') || names.includes(name);
      const whole = all.map((one) => ({ ...one, dependencies: one.dependencies.filter(isThere), peers: one.peers.filter(isThere) }));
      return fc.shuffledSubarray(whole, { minLength: all.length });
    }),
);

function quoted(text: string): string {
  return /^[\w.^*~][\w.^*~-]*$/.test(text) ? text : `"${text}"`;
}

function fieldText(field: string, lines: readonly Pair[]): string {
  const text = lines.map(({ name, range }) => `    ${quoted(name)}: ${quoted(range)}\n`).join('');
  return text === '' ? '' : `  ${field}:\n${text}`;
}

function entryText({ descriptors, resolution, dependencies, peers, fields: more }: Entry): string {
  const [key, isWorkspace] = [descriptors.join(', '), resolution.includes('@workspace:')];
  return [
    // Yarn does so from 1,024 characters on.
    key.length > 50 && !isWorkspace ? `? "${key}"\n:\n` : `"${key}":\n`,
    `  version: ${isWorkspace ? '0.0.0-use.local' : '1.0.0'}\n  resolution: "${resolution}"\n`,
    `${fieldText('dependencies', dependencies)}${fieldText('peerDependencies', peers)}${more.join('')}`,
    `  linkType: ${isWorkspace ? 'soft' : 'hard'}\n`,
  ].join('');
}

function textOf(all: readonly Entry[]): string {
  return `${LOCK_HEAD}\n${all.map(entryText).join('\n')}`;
}

/** Lockfiles in Yarn's notation, or nearly so. */
export const lockTexts: fc.Arbitrary<string> = entries.map(textOf);

/** Pieces with a meaning wherever they are inserted. */
const PIECES = [
  '"',
  ':',
  ': ',
  '\\',
  '\\"',
  '\n',
  '\n\n',
  ' ',
  '  ',
  '    ',
  ',',
  ', ',
  '@',
  '/',
  '.',
  '=',
  '\r',
  '\r\n',
  '\0',
  '\t',
  'é',
  '?',
  '#',
  '<',
  '',
  'npm:',
  'workspace:',
  '@workspace:',
  '"workspace:',
  '::locator=',
  'catalog:',
  'lib',
  'lib@',
  '\\u006c',
  '__metadata:\n',
  '# @workspace:x\n',
  '  linkType: soft\n',
  '  linkType: hard\n',
  '  dependencies:\n',
  '  peerDependencies:\n',
  '  version: \n',
  '  version: 2\n',
  '<<<<<<< HEAD\n',
  '    lib: "workspace:^"\n',
  '    nobody: "workspace:^"\n',
  '    lib": ^1.0.0\n',
  '    "lib: ^1.0.0\n',
  '    lib@npm:1: x\n',
  '    lib: \n',
  '    lib: "^1\\u002e0.0"\n',
  '    lib: "\\"\n',
  '    "a: b": "x"\n',
  '    : : x\n',
  '    lib: "\n',
  '    lib: ""\n',
  '    "": x\n',
  '>>>>>>> x\n',
  ...ODD_FIELDS,
];

interface Mutation {
  readonly kind: 'put' | 'replace' | 'cut' | 'end' | 'drop line' | 'copy line' | 'swap lines' | 'put line' | 'copy entry';
  /** In ten-thousandths of the text. */
  readonly at: number;
  readonly other: number;
  readonly piece: string;
}

const mutations: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('put', 'replace', 'cut', 'end', 'drop line', 'copy line', 'swap lines', 'put line', 'put line', 'copy entry'),
  at: fc.nat({ max: 9999 }),
  other: fc.nat({ max: 9999 }),
  piece: fc.constantFrom(...PIECES),
});

function mutate(text: string, { kind, at, other, piece }: Mutation): string {
  const [place, to] = [at, other].map((part) => Math.floor((part * text.length) / 10_000)) as [number, number];
  const lines = text.split(/(?<=\n)/);
  const [line, second] = [at, other].map((part) => Math.floor((part * lines.length) / 10_000)) as [number, number];
  const [one = '', two = ''] = [lines[line], lines[second]];
  if (kind === 'put') return text.slice(0, place) + piece + text.slice(place);
  if (kind === 'replace') return text.slice(0, place) + piece + text.slice(place + 1);
  if (kind === 'cut') return text.slice(0, Math.min(place, to)) + text.slice(Math.min(place, to) + (other % 40));
  if (kind === 'end') return text.slice(0, place);
  if (kind === 'drop line') return lines.toSpliced(line, 1).join('');
  if (kind === 'copy line') return lines.toSpliced(line, 0, two).join('');
  if (kind === 'swap lines') return lines.with(line, two).with(second, one).join('');
  if (kind === 'put line') return lines.toSpliced(line, 0, piece).join('');
  const parts = text.split('\n\n');
  const [from, into] = [at, other].map((part) => Math.floor((part * parts.length) / 10_000)) as [number, number];
  return parts.toSpliced(into, 0, parts[from] ?? '').join('\n\n');
}

/** Lockfiles with one to three changes. Hardly any stays in Yarn's notation, but many stay readable. */
export const brokenLockTexts: fc.Arbitrary<string> = fc
  .tuple(lockTexts, fc.array(mutations, { minLength: 1, maxLength: 3 }))
  .map(([text, all]) => all.reduce(mutate, text));

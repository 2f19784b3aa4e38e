import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mapOf, type ProjectTexts } from './reference-map.fixture.js';
import { usersOf } from './users.js';

/** The workspaces; `lib` holds `inner`. The root's index is not the first, as in a lockfile. */
const FOLDERS = { app: 'packages/app', lib: 'packages/lib', inner: 'packages/lib/inner', other: 'libs/deep/other' } as const;
type Name = keyof typeof FOLDERS;
const NAMES = Object.keys(FOLDERS) as readonly Name[];
/** Files outside of all workspaces that may refer to others. `x.config.js` is found by a tool. */
const ROOT_FILES = ['tests/helper.js', 'tests/deep/more.ts', 'tools/run.mjs', 'x.config.js'] as const;
const DATA = ['data/x.json', 'data/deep/y.json', 'z.txt'] as const;

/** Who refers to something: a workspace or a file of the root. */
type Reader = Name | (typeof ROOT_FILES)[number];
/** To what: a workspace, a file of the root, or everything below a folder. */
type Target =
  | { readonly kind: 'workspace'; readonly name: Name }
  | { readonly kind: 'file'; readonly path: (typeof ROOT_FILES | typeof DATA)[number] }
  | { readonly kind: 'below'; readonly folder: 'data' | 'data/deep' };

interface Written {
  readonly reader: Reader;
  readonly target: Target;
  /** The way in which it is written. */
  readonly way: number;
}

/** Ways to refer to a path from code; `up` begins with `../` or `./`. */
const CODE_WAYS: readonly ((up: string) => string)[] = [
  (up) => `import a from '${up}';`,
  (up) => `import type { A } from "${up}";`,
  (up) => `export * from '${up}';`,
  (up) => `const a = require('${up}');`,
  (up) => `await import(\`${up}\`);`,
  (up) => `jest.mock('${up}', () => ({}));`,
  (up) => `new URL('${up}', import.meta.url);`,
  (up) => `readFileSync(path.join(__dirname, '${up.split('/').join("', '")}'));`,
  (up) => `readFileSync(\`\${__dirname}/${up}\`);`,
  (up) => `readFileSync(__dirname + '/${up}');`,
  (up) => `/// <reference path="${up}" />`,
];
const OPAQUE_WAYS: readonly ((up: string) => string)[] = [
  (up) => `readFile(join(__dirname, '${up}', name));`,
  (up) => `readFile(\`\${__dirname}/${up}/\${name}\`);`,
  (up) => `require('${up}/' + name);`,
  (up) => `readdirSync(path.join(__dirname, '${up}'));`,
  (up) => `import(\`${up}/\${name}.js\`);`,
];

function upFrom(folder: string, path: string): string {
  const depth = folder === '' ? 0 : folder.split('/').length;
  return depth === 0 ? `./${path}` : `${'../'.repeat(depth)}${path}`;
}

/** Writes references as files of a repository. */
function write(all: readonly Written[]): { readonly files: ProjectTexts; readonly links: Readonly<Record<string, string>> } {
  const code = new Map<string, string[]>();
  const links: Record<string, string> = {};
  const manifests: Record<string, Record<string, unknown>> = Object.fromEntries(NAMES.map((name) => [name, { name, version: '1.0.0' }]));
  const files: Record<string, string | object> = {};
  const addCode = (file: string, line: string): void => void code.set(file, [...(code.get(file) ?? []), line]);
  for (const [at, { reader, target, way }] of all.entries()) {
    const isMember = reader in FOLDERS;
    const folder = isMember ? FOLDERS[reader as Name] : reader.slice(0, Math.max(reader.lastIndexOf('/'), 0));
    const file = isMember ? `${folder}/src${at % 2 === 0 ? '' : '/deep'}/f${way % 3}.${['js', 'ts', 'mjs'][way % 3]}` : reader;
    const from = file.slice(0, Math.max(file.lastIndexOf('/'), 0));
    if (target.kind === 'below') {
      const up = upFrom(from, target.folder);
      addCode(
        file,
        isMember && way % 17 === 5 ? `readFile(join('${target.folder}', name));` : (OPAQUE_WAYS[way % OPAQUE_WAYS.length]?.(up) ?? ''),
      );
      continue;
    }
    const path = target.kind === 'file' ? target.path : `${FOLDERS[target.name]}/src/index.js`;
    if (isMember && way % 17 === 0) links[`${folder}/link${at}`] = upFrom(folder, path);
    else if (isMember && way % 17 === 1)
      manifests[reader] = { ...manifests[reader], scripts: { test: `node ${upFrom(folder, path)} --x` } };
    else if (isMember && way % 17 === 2 && target.kind === 'file')
      files[`${folder}/turbo.json`] = { tasks: { test: { inputs: [`$TURBO_ROOT$/${path}`] } } };
    else if (isMember && way % 17 === 3) files[`${folder}/guide.mdx`] = `# It's here\n\nimport A from '${upFrom(folder, path)}'\n\n<A/>\n`;
    else if (isMember && way % 17 === 4)
      manifests[reader] = { ...manifests[reader], jest: { setupFiles: [`<rootDir>/${upFrom(folder, path)}`] } };
    else if (isMember && way % 17 === 5 && path !== 'x.config.js') addCode(file, `readFileSync('${path}');`);
    else if (target.kind === 'workspace' && way % 2 === 0) addCode(file, `import x from '${target.name}/src/index.js';`);
    else addCode(file, CODE_WAYS[way % CODE_WAYS.length]?.(upFrom(from, path)) ?? '');
  }
  for (const [name, manifest] of Object.entries(manifests)) files[`${FOLDERS[name as Name]}/package.json`] = manifest;
  for (const name of NAMES) files[`${FOLDERS[name]}/src/index.js`] = '';
  for (const file of [...ROOT_FILES, ...DATA]) files[file] = '';
  for (const [file, lines] of code) files[file] = `${lines.join('\n')}\n`;
  return { files, links };
}

/** Returns what a reader refers to, directly or through files of the root. */
function truth(all: readonly Written[], reader: Reader): readonly Target[] {
  const found: Target[] = [];
  const queue: Reader[] = [reader];
  for (const one of queue) {
    for (const { reader: by, target } of all) {
      if (by !== one) continue;
      found.push(target);
      if (target.kind === 'file' && (ROOT_FILES as readonly string[]).includes(target.path) && !queue.includes(target.path as Reader))
        queue.push(target.path as Reader);
    }
  }
  return found;
}

function reads(target: Target, file: string): boolean {
  return target.kind === 'file' ? target.path === file : target.kind === 'below' && file.startsWith(`${target.folder}/`);
}

const target: fc.Arbitrary<Target> = fc.oneof(
  fc.record({ kind: fc.constant('workspace' as const), name: fc.constantFrom(...NAMES) }),
  fc.record({ kind: fc.constant('file' as const), path: fc.constantFrom(...ROOT_FILES, ...DATA) }),
  fc.record({ kind: fc.constant('below' as const), folder: fc.constantFrom('data' as const, 'data/deep' as const) }),
);
const written: fc.Arbitrary<readonly Written[]> = fc.array(
  fc.record({ reader: fc.constantFrom<Reader>(...NAMES, ...ROOT_FILES), target, way: fc.nat({ max: 200 }) }),
  { minLength: 1, maxLength: 8 },
);

/** Of scripts, settings and such, a workspace has one: of several, only the last is written. */
function kept(all: readonly Written[]): readonly Written[] {
  const isSingle = ({ reader, target: { kind }, way }: Written): boolean =>
    reader in FOLDERS && kind !== 'below' && way % 17 >= 1 && way % 17 <= 4;
  return all.filter(
    (one, at) =>
      !isSingle(one) ||
      !all.slice(at + 1).some((other) => isSingle(other) && other.reader === one.reader && other.way % 17 === one.way % 17),
  );
}

test('whoever refers to a workspace, or to a file of the root, in whatever way, is found', () => {
  fc.assert(
    fc.property(written, (random) => {
      const all = kept(random);
      const { files, links } = write(all);
      const map = mapOf(files, links);
      const { members } = map.tree.graph;
      for (const name of NAMES) {
        const from = members.findIndex((one) => one.name === name);
        const found = map.readings.flatMap((one) =>
          one.from !== from || one.target.kind === 'file' ? [] : [members[one.target.member]?.name as string],
        );
        const named = truth(all, name).flatMap((one) => (one.kind === 'workspace' && one.name !== name ? [one.name] : []));
        expect(found).toEqual(expect.arrayContaining(named));
      }
      for (const file of DATA) {
        const users = usersOf(map, file, (by) => (by === 'x.config.js' ? 'everybody' : 'readers'));
        const readers = NAMES.filter((name) => truth(all, name).some((one) => reads(one, file)));
        if (users.who === 'everybody') continue;
        expect(truth(all, 'x.config.js').some((one) => reads(one, file))).toBe(false);
        expect([...users.workspaces.keys()].map((member) => members[member]?.name)).toEqual(expect.arrayContaining([...readers]));
        // Without a reference, nothing is narrowed.
        expect(all.some(({ target: one }) => reads(one, file))).toBe(true);
      }
    }),
  );
});

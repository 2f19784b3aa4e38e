import { writeLockfile } from './affected-lockfile.js';
import { type Field, type MonorepoPlan, type PlannedPackage, type PlannedRequest, rootDependencies } from './affected-plan.js';

/** Yields path and content of every file of the monorepo, including the peers' configuration; about ten for each package. */
export function* writeFiles(plan: MonorepoPlan): Generator<readonly [path: string, content: string]> {
  yield* Object.entries(rootFiles(plan));
  yield ['yarn.lock', writeLockfile(plan)];
  for (const planned of plan.packages) {
    for (const [path, content] of Object.entries(packageFiles(plan, planned))) yield [`${planned.folder}/${path}`, content];
  }
}

function rootFiles(plan: MonorepoPlan): Record<string, string> {
  const devDependencies = Object.fromEntries(
    rootDependencies(plan)
      .map(({ name, ranges }) => [name, ranges[0]])
      .sort(),
  );
  return {
    'package.json': json({
      name: 'large',
      private: true,
      packageManager: 'yarn@4.18.1',
      workspaces: ['packages/*'],
      scripts: { build: 'turbo run build', test: 'turbo run test' },
      devDependencies,
    }),
    '.yarnrc.yml': 'enableTelemetry: false\n\nnodeLinker: node-modules\n',
    '.gitignore': 'node_modules\n.turbo\n.nx\n.yarn\ndist\n',
    'README.md': '# Large\n\nA made-up monorepo.\n',
    'tsconfig.base.json': json({ compilerOptions: { strict: true, target: 'es2022', module: 'nodenext' } }),
    'turbo.json': json({ tasks: { build: { dependsOn: ['^build'], outputs: ['dist/**'] }, test: { dependsOn: ['build'] } } }),
    'nx.json': json({ defaultBase: 'main', analytics: false, targetDefaults: { build: { dependsOn: ['^build'] } } }),
    // pnpm resolves `^1.0.0` to the workspace of that name only with this setting; Yarn always does.
    'pnpm-workspace.yaml': 'packages:\n  - packages/*\nlinkWorkspacePackages: true\n',
    'lage.config.js': "module.exports = { pipeline: { build: ['^build'], test: ['build'] } };\n",
  };
}

function packageFiles(plan: MonorepoPlan, planned: PlannedPackage): Record<string, string> {
  const used = planned.internal.filter(({ field }) => field === 'dependencies').map(({ to }) => plan.packages[to]?.name ?? '');
  const module = (subject: string): string =>
    `/** The ${subject} of ${planned.name}. */\nexport function ${subject}(value: string): string {\n  return \`${subject}: \${value}\`;\n}\n`;
  return {
    'package.json': json(manifestOf(plan, planned)),
    'README.md': `# ${planned.name}\n\nWhat it is for, and how to use it.\n`,
    'CHANGELOG.md': `# Changes\n\n## ${planned.version}\n\nSmaller things.\n`,
    'tsconfig.json': json({ extends: '../../tsconfig.base.json', include: ['src'] }),
    'src/index.ts': [
      ...used.map((name, at) => `import * as used${at} from '${name}';`),
      "import { read } from './read.js';",
      `export const parts = [read, ${used.map((_, at) => `used${at}`).join(', ')}];\n`,
    ].join('\n'),
    ...Object.fromEntries(['read', 'parse', 'format', 'model'].map((subject) => [`src/${subject}.ts`, module(subject)])),
    'src/read.test.ts': "import { read } from './read.js';\n\ntest('it reads', () => expect(read('x')).toBe('read: x'));\n",
  };
}

function manifestOf(plan: MonorepoPlan, planned: PlannedPackage): object {
  const named = (requests: readonly PlannedRequest[], targets: readonly { readonly name: string }[], field: Field): [string, string][] =>
    requests.filter((request) => request.field === field).map(({ to, range }) => [targets[to]?.name ?? '', range]);
  const blocks = (['dependencies', 'devDependencies', 'peerDependencies'] as const).map((field) => {
    const entries = [...named(planned.internal, plan.packages, field), ...named(planned.external, plan.externals, field)];
    return [field, Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))] as const;
  });
  return {
    name: planned.name,
    version: planned.version,
    license: 'MIT',
    type: 'module',
    main: 'dist/index.js',
    scripts: { build: 'tsc -b', test: 'jest' },
    ...Object.fromEntries(blocks.filter(([, entries]) => Object.keys(entries).length > 0)),
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

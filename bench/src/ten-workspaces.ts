import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { type LocalRegistry, registryEnvironment, startRegistry } from '@tributary/test-repo/local-registry';
import { findProjectRoot, yarnRelease } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import { formatManifest, type Manifest } from '@tributary/test-repo/temp-monorepo';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';
import { runCommand } from './affected-process.js';
import type { PeerQuestion } from './oracle-peers.js';

/** Each workspace with those that it depends on. */
const GRAPH: Readonly<Record<string, readonly string[]>> = {
  utils: [],
  core: ['utils'],
  ui: ['core'],
  forms: ['ui'],
  charts: ['ui'],
  client: ['core'],
  legacy: ['utils'],
  api: ['core', 'legacy'],
  web: ['forms', 'charts', 'client'],
  admin: ['forms', 'client'],
};

/** A pull request to the monorepo. */
export interface PullRequest {
  readonly name: string;
  readonly change: (repo: TempRepo) => void;
  /** What Yarn does to the lockfile. */
  readonly yarn?: readonly string[];
  /** The workspaces whose tests it can break, by `GRAPH` and `filesOf`. */
  readonly canBreak: readonly string[];
}

const EVERY_WORKSPACE = Object.keys(GRAPH);

export const PULL_REQUESTS: readonly PullRequest[] = [
  {
    name: 'source',
    change: (repo) => repo.write({ 'packages/core/src/index.ts': `${sourceOf('core', ['utils'])}export const more = 1;\n` }),
    canBreak: ['core', 'ui', 'forms', 'charts', 'client', 'api', 'web', 'admin'],
  },
  { name: 'README', change: (repo) => repo.write({ 'packages/core/README.md': '# Core, renewed\n' }), canBreak: [] },
  {
    name: 'root tsconfig',
    change: (repo) => repo.write({ 'tsconfig.base.json': tsconfig({ strict: true }) }),
    canBreak: EVERY_WORKSPACE,
  },
  {
    name: 'root formatter',
    change: (repo) => repo.write({ 'package.json': rootManifest('3.1.0') }),
    yarn: ['install', '--no-immutable'],
    canBreak: [],
  },
  { name: 'lockfile refresh', change: () => {}, yarn: ['up', '-R', 'axis'], canBreak: ['charts', 'web'] },
  {
    name: 'new workspace',
    change: (repo) => repo.write(filesOf('docs', ['ui'])),
    yarn: ['install', '--no-immutable'],
    canBreak: ['docs'],
  },
  {
    name: 'deleted workspace',
    change: (repo) => {
      repo.git('rm', '-rq', 'packages/legacy');
      repo.write(filesOf('api', ['core']));
    },
    yarn: ['install', '--no-immutable'],
    canBreak: ['api'],
  },
  { name: 'workflow', change: (repo) => repo.write({ [WORKFLOW]: workflow(24) }), canBreak: EVERY_WORKSPACE },
];

const WORKFLOW = '.github/workflows/ci.yml';

function workflow(node: number): string {
  const setUp = `uses: actions/setup-node@v4\n        with: { node-version: ${node} }`;
  const steps = ['uses: actions/checkout@v4', setUp, 'run: yarn install', 'run: yarn turbo run test'].map((step) => `      - ${step}\n`);
  return `on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n${steps.join('')}`;
}

function tsconfig(options: object): string {
  return `${JSON.stringify({ compilerOptions: { module: 'nodenext', ...options } }, null, 2)}\n`;
}

function rootManifest(prettier: string): string {
  const root = { name: 'ten', private: true, packageManager: 'yarn@4.18.1', workspaces: ['packages/*'] };
  return formatManifest({ ...root, devDependencies: { jest: '^30.0.0', prettier, typescript: '^5.0.0' } });
}

function sourceOf(name: string, uses: readonly string[]): string {
  return `${uses.map((other) => `import '@ten/${other}';\n`).join('')}export const ${name} = 1;\n`;
}

function filesOf(name: string, uses: readonly string[]): Files {
  const own = Object.fromEntries(uses.map((other) => [`@ten/${other}`, 'workspace:^']));
  const dependencies = name === 'charts' ? { ...own, axis: '^1.0.0' } : own;
  const folder = `packages/${name}`;
  return {
    [`${folder}/package.json`]: formatManifest({ name: `@ten/${name}`, version: '1.0.0', scripts: { test: 'jest' }, dependencies }),
    [`${folder}/README.md`]: `# ${name}\n`,
    [`${folder}/tsconfig.json`]: '{ "extends": "../../tsconfig.base.json", "include": ["src"] }\n',
    [`${folder}/src/index.ts`]: sourceOf(name, uses),
    [`${folder}/src/index.test.ts`]: `import './index.js';\n`,
  };
}

const published = (name: string, version: string): { manifest: Manifest } => ({ manifest: { name, version } });

/** A monorepo of ten workspaces, whose lockfiles are Yarn's own. */
export class TenWorkspaces {
  readonly repo = TempRepo.create();
  private readonly registry: LocalRegistry;
  private readonly home: AbsolutePath;

  private constructor(registry: LocalRegistry, home: AbsolutePath) {
    this.registry = registry;
    this.home = home;
  }

  static async create(home: AbsolutePath): Promise<TenWorkspaces> {
    const packages = [published('prettier', '3.0.0'), published('prettier', '3.1.0'), published('axis', '1.0.0')];
    const registry = await startRegistry({ packages: [...packages, published('jest', '30.0.0'), published('typescript', '5.9.3')] });
    const ten = new TenWorkspaces(registry, home);
    ten.repo.write({
      'package.json': rootManifest('3.0.0'),
      '.gitignore': 'node_modules\n.nx\n.yarn\n',
      '.yarnrc.yml': 'nodeLinker: node-modules\n',
      'turbo.json': '{ "tasks": { "test": {} } }\n',
      'nx.json': '{ "pluginsConfig": { "@nx/js": {} } }\n',
      'tsconfig.base.json': tsconfig({}),
      [WORKFLOW]: workflow(22),
      ...Object.assign({}, ...Object.entries(GRAPH).map(([name, uses]) => filesOf(name, uses))),
    });
    await ten.yarn(['install', '--no-immutable']);
    ten.repo.commit('Start');
    // Published later: what is locked stays until somebody refreshes it.
    registry.add(published('axis', '1.0.1'));
    return ten;
  }

  /** Commits a pull request on a branch of its own, and checks it out. */
  async open({ name, change, yarn }: PullRequest): Promise<void> {
    this.repo.git('checkout', '-q', '--detach', 'main');
    change(this.repo);
    if (yarn !== undefined) await this.yarn(yarn);
    this.repo.commit(name);
  }

  async close(): Promise<void> {
    await this.registry.close();
    this.repo.dispose();
  }

  private async yarn(args: readonly string[]): Promise<void> {
    const program = [yarnRelease(findProjectRoot()), ...args, '--mode=update-lockfile'];
    const { code, stdout } = await runProcess(process.execPath, program, {
      cwd: this.repo.path,
      env: registryEnvironment(this.registry.url, this.home),
    });
    if (code !== 0) throw new Error(`Yarn failed: ${stdout}`);
  }
}

/** Returns the workspaces that affected selects, as folders. */
export async function askAffected({ folder, base, env }: PeerQuestion): Promise<readonly string[]> {
  const cli = join(findProjectRoot(), 'tools/affected/out/cli.cjs');
  const text = await runCommand({ program: process.execPath, args: [cli, '--base', base, '--json'], cwd: folder }, env);
  return (JSON.parse(text) as { workspaces: { path: string }[] }).workspaces.map(({ path }) => path);
}

/** Returns the names of the workspaces in folders, without the root. */
export function workspacesIn(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => (folder.startsWith('packages/') ? [folder.slice('packages/'.length)] : []));
}

import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { type CleanUp, cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { quickYarn } from '@tributary/test-repo/quick-yarn';
import { type CliResult, createHome, runCli, runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { type Manifest, monorepoFiles } from '@tributary/test-repo/temp-monorepo';
import { type Files, TempRepo } from '@tributary/test-repo/temp-repo';

/** The tests of a workspace, besides their entry in the log. */
export interface TestedPackage {
  readonly dependencies?: readonly string[];
  /** Exit code of its tests; by default 0. */
  readonly fails?: number;
  /** A command instead of the logging script. */
  readonly test?: string;
  /** Whether it also has a script `build`. Without one, turborepo starts Yarn once less, which is half of a workspace's cost. */
  readonly builds?: boolean;
  readonly files?: Files;
  readonly manifest?: Manifest;
}

interface ShardRepoOptions {
  readonly changed: readonly string[];
  readonly files?: Files;
  /** Fields of the root manifest. */
  readonly root?: Manifest;
  /** Further variables, such as the address of a registry. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What Yarn writes when it installs: links and records, no path of the machine. */
const INSTALLED = ['yarn.lock', 'node_modules', '.yarn'];
/** Folders with what Yarn has written in this test file, by what it read. */
const installed = new Map<string, string>();
const cleanUpInstalled = cleanUpIn(afterAll);

/** The tests of a workspace. If they really ran, their name is in the log. */
const SCRIPT = `import { appendFileSync } from 'node:fs';
import { argv, env, exit } from 'node:process';
const [name, code, ...rest] = argv.slice(2);
if (env.RAN_LOG) appendFileSync(env.RAN_LOG, [name, ...rest].join(' ') + '\\n');
console.log('tests of ' + name);
exit(Number(code));
`;

/**
 * A monorepo that the project's own turborepo and Yarn really run: a commit `main`, and on the branch `topic`, which is checked out, one
 * commit that changes a file in each of `changed`. Whose tests really ran stands in `log`, outside the repository: set RAN_LOG to it.
 */
export class ShardRepo {
  readonly repo: TempRepo;
  /** A folder outside of the repository for plan, receipts and logs. */
  readonly work: string;
  /** The variables of a job: PATH with turbo and yarn, a separate home, and the path of the log. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: string;

  private constructor(cleanUp: CleanUp, environment: Readonly<Record<string, string>>) {
    this.repo = cleanUp.add(TempRepo.create());
    this.work = cleanUp.add(new TempFolder()).path;
    this.log = join(this.work, 'ran.log');
    const bin = join(this.work, 'bin');
    mkdirSync(bin);
    writeProgram(join(bin, 'turbo'), `exec "${join(findProjectRoot(), 'node_modules/.bin/turbo')}" "$@"`);
    writeProgram(join(bin, 'yarn'), `exec "${process.execPath}" "${quickYarn(findProjectRoot())}" "$@"`);
    this.environment = {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HOME: cleanUp.add(createHome()).path,
      RAN_LOG: this.log,
      TURBO_NO_UPDATE_NOTIFIER: '1',
      YARN_ENABLE_TELEMETRY: '0',
      YARN_ENABLE_GLOBAL_CACHE: '0',
      YARN_ENABLE_NETWORK: '0',
      ...environment,
    };
  }

  /** Creates the monorepo. Names may have scopes, dots and pluses; each workspace is in `packages/<number>`. `changed` has names. */
  static async create(
    cleanUp: CleanUp,
    packages: Readonly<Record<string, TestedPackage>>,
    { changed, files = {}, root = {}, environment = {} }: ShardRepoOptions,
  ): Promise<ShardRepo> {
    const one = new ShardRepo(cleanUp, environment);
    const names = Object.keys(packages);
    const folderOf = (name: string): string => `packages/p${names.indexOf(name)}`;
    const all: Files = {
      ...monorepoFiles({
        root,
        packages: Object.fromEntries(Object.entries(packages).map(([name, tested]) => [folderOf(name), manifestOf(name, tested)])),
        files: {
          'run-tests.mjs': SCRIPT,
          'turbo.json': `${JSON.stringify({ globalPassThroughEnv: ['RAN_LOG'], tasks: { build: { dependsOn: ['^build'] }, test: { dependsOn: ['^build'] } } })}\n`,
          '.yarnrc.yml': 'enableTelemetry: false\nnodeLinker: node-modules\n',
          '.gitignore': 'node_modules\n.turbo\n.yarn\n.tributary\n',
          'yarn.lock': '',
        },
      }),
      ...Object.fromEntries(names.map((name) => [`${folderOf(name)}/src.js`, '0;\n'])),
      ...Object.fromEntries(
        Object.entries(packages).flatMap(([name, { files: own = {} }]) =>
          Object.entries(own).map(([path, text]) => [`${folderOf(name)}/${path}`, text]),
        ),
      ),
      ...files,
    };
    one.repo.write(all);
    await one.installAsBefore(all);
    one.repo.commit('Start');
    one.repo.git('checkout', '-q', '-b', 'topic');
    one.repo.write(Object.fromEntries(changed.map((name) => [`${folderOf(name)}/src.js`, '1;\n'])));
    one.repo.commit('Change');
    return one;
  }

  /** Installs. For manifests and settings of which only scripts differ, Yarn runs once in a test file, and what it wrote is copied. */
  private async installAsBefore(files: Files): Promise<void> {
    const read = Object.entries(files).filter(([path]) => /(^|\/)(package\.json|yarn\.lock|\.yarnrc\.yml)$|^\.yarn\//.test(path));
    const key = JSON.stringify(
      read.map(([path, text]) => [path, typeof text === 'string' && path.endsWith('.json') ? withoutScripts(text) : text]),
    );
    const copy = (from: string, to: string): void => {
      for (const name of INSTALLED) cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    };
    const before = installed.get(key);
    if (before !== undefined) return copy(before, this.repo.path);
    await this.install(this.repo.path);
    const kept = cleanUpInstalled.add(new TempFolder()).path;
    copy(this.repo.path, kept);
    installed.set(key, kept);
  }

  /** Lets Yarn link the workspaces, as a job does first. Nothing comes from a network. */
  async install(folder: string): Promise<void> {
    const { code, stdout } = await runProcess(process.execPath, [quickYarn(findProjectRoot()), 'install'], {
      cwd: folder,
      env: this.environment,
    });
    if (code !== 0) throw new Error(`yarn install failed: ${stdout}`);
  }

  /** Runs turborepo itself, as without our tool. Returns its exit code. */
  async turbo(args: readonly string[]): Promise<number | null> {
    const { code } = await runProcess(join(this.work, 'bin/turbo'), [...args], { cwd: this.repo.path, env: this.environment });
    return code;
  }

  /** Runs the bundled tool in the repository, or in another clone of it. */
  affected(
    args: readonly string[],
    more: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
  ): Promise<CliResult> {
    return runCli('affected', [...args], {
      cwd: more.cwd ?? this.repo.path,
      env: { ...this.environment, ...more.env },
    });
  }
}

function manifestOf(name: string, { dependencies = [], fails = 0, test, builds = false, manifest = {} }: TestedPackage): Manifest {
  const all = {
    name,
    scripts: { ...(builds ? { build: 'node -e 0' } : {}), test: test ?? `node ../../run-tests.mjs '${name}' ${fails}` },
    dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, 'workspace:^'])),
    ...manifest,
  };
  // Yarn removes empty blocks when it installs, and the checkout would differ from the commit.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => JSON.stringify(value) !== '{}'));
}

/** Returns a manifest without scripts, unless Yarn runs one of them when it installs. */
function withoutScripts(manifest: string): unknown {
  const { scripts = {}, ...rest } = JSON.parse(manifest) as { readonly scripts?: Readonly<Record<string, string>> };
  return /install|prepare/.test(Object.keys(scripts).join(' ')) ? { scripts, ...rest } : rest;
}

function writeProgram(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}

/** Returns the JSON files of a folder, by name; none if it does not exist. */
export function jsonFilesIn(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .sort()
    : [];
}

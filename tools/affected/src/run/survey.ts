import { join } from 'node:path';
import { HEAD } from '@tributary/git/changeset';
import type { Git } from '@tributary/git/git';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import type { Services } from '@tributary/terminal/main';
import { parseManifest } from '@tributary/workspaces/manifest';
import { parseYarnSettings } from '@tributary/workspaces/yarn-settings';
import { engineOf } from '../ci-files/file-types.js';
import { readYaml } from '../ci-files/yaml-value.js';
import { ENGINES } from '../engines/engines.js';
import type { FoundEngine, Shortcoming, Survey } from '../init/init-result.js';
import { runnersIn } from '../init/judge-survey.js';
import { findNodeVersion, imagesOfNode, type NodeSteps } from '../init/node-version.js';
import { readPresentPipeline, readWrittenPipeline } from '../init/present-gitlab.js';
import type { TaskFacts } from '../init/present-tasks.js';
import { type PresentWorkflow, readPresentWorkflow } from '../init/present-workflow.js';
import { locate } from '../io/locate.js';
import { readIfThere } from '../io/new-files.js';
import { openGit } from '../io/open-git.js';
import { asRecord, readObject } from '../plan/turbo-tasks.js';
import { assumeWorkflow } from './assumed-workflow.js';
import { idOf } from './compare.js';
import { readHeadProject } from './head-project.js';
import { scriptsOf } from './task-side.js';

/** The survey of a monorepo for `affected init`. */
export interface SurveyedProject {
  readonly survey: Survey;
  readonly engines: readonly FoundEngine[];
  /** The workflow of `survey`, with its settings. */
  readonly present: PresentWorkflow | undefined;
  /** Beside one that was written before: those that still run tests. */
  readonly older: readonly PresentWorkflow[];
  /** Why no workflow could be read, although files of a CI engine are there. */
  readonly unread: readonly Shortcoming[];
  /** The working tree. */
  readonly workTree: AbsolutePath;
  readonly folder: AbsolutePath;
  readonly git: Git;
}

/**
 * Surveys a monorepo: root files in the working tree, workspaces and CI files at HEAD. Runs none of its code. Throws `TARGET_NOT_FOUND`,
 * `TARGET_NOT_A_MONOREPO`, `MANIFEST_INVALID`, `PACKAGE_MANAGER_UNSUPPORTED`, `REVISION_MISSING`, `CONFIG_INVALID`.
 */
export async function surveyProject(cwd: AbsolutePath, { signal }: Pick<Services, 'signal'>): Promise<SurveyedProject> {
  const repository = await locate(cwd);
  if (repository.workTree === undefined)
    throw new ToolError({
      code: 'TARGET_NOT_FOUND',
      message: `${repository.gitDir} is a bare repository: it has no working tree to set up.`,
      hint: 'Run the command in a clone with a working tree.',
    });
  const { workTree } = repository;
  const folder = parseAbsolutePath(join(workTree, repository.project));
  const manifestText = readIfThere(folder, 'package.json');
  if (manifestText === undefined)
    throw new ToolError({
      code: 'TARGET_NOT_A_MONOREPO',
      message: `There is no package.json in ${folder}.`,
      hint: 'Run the command in the folder of the root package.json, or name it with --cwd.',
    });
  const git = openGit(repository, { signal });
  await idOf({ git, head: HEAD });
  const { project, graph } = await readHeadProject({ cwd, head: undefined }, { signal });
  const others = project.workspaces.filter(({ path }) => path !== '');
  const root = parseManifest(manifestText, 'package.json');
  if (others.length === 0 && root.workspaces.length === 0)
    throw new ToolError({
      code: 'TARGET_NOT_A_MONOREPO',
      message: 'The root package.json has no workspaces.',
      hint: 'affected compares workspaces. List them: "workspaces": ["packages/*"]',
    });
  const scripts = others.map(({ manifest }) => asRecord(manifest.raw['scripts'])['test']).filter((one) => typeof one === 'string');
  const turbo = readTurboJson(folder);
  const facts: TaskFacts = {
    rootScripts: scriptsOf(root),
    scripts: new Set(
      others.flatMap(({ manifest }) => [...scriptsOf(manifest)].flatMap(([name, text]) => (text.trim() === '' ? [] : [name]))),
    ),
    turboTasks: turbo.tasks ?? {},
  };
  const engines = await findEngines(git);
  const { present: workflow, older, unread } = await findWorkflow({ git, repository }, workTree, facts);
  return {
    survey: {
      node: findNodeVersion({ workflow: workflow ?? onlyFile(engines, workTree), read: (file) => readIfThere(folder, file) }),
      workflow: workflow === undefined ? null : withoutSteps(workflow),
      root: repository.project,
      ...packageManagerOf(folder, root.packageManager),
      workspaces: graph.members.length,
      tested: scripts.length,
      runners: countRunners(scripts),
      turboJson: turbo.state,
      turboTasks: turbo.tasks === null ? null : Object.keys(turbo.tasks),
      turbo: root.devDependencies.get('turbo') ?? root.dependencies.get('turbo') ?? null,
      branch: await mainBranch(git),
    },
    engines,
    present: workflow,
    older,
    unread,
    workTree,
    folder,
    git,
  };
}

/** Reads the workflow that was written, the only one of GitHub that tests pull requests, or the pipeline of GitLab. */
async function findWorkflow(
  where: Parameters<typeof assumeWorkflow>[0],
  workTree: AbsolutePath,
  facts: TaskFacts,
): Promise<Pick<SurveyedProject, 'present' | 'older' | 'unread'>> {
  const read = (path: string): string | undefined => readIfThere(workTree, path);
  const testing = (await assumeWorkflow(where, { head: HEAD })).testing ?? [];
  // One that was written before has what it took over.
  const found = read(WRITTEN) === undefined ? testing : [WRITTEN];
  const beside = testing.filter((one) => !found.includes(one)).flatMap((one) => readPresentWorkflow(one, read(one) ?? '', facts) ?? []);
  const older = beside.filter(({ tests }) => tests.length > 0);
  const paths = found.length === 0 ? [PIPELINE] : found;
  const unread = [...paths, SHARDS].flatMap((path) => {
    const content = readYaml(read(path) ?? '{}');
    return 'problem' in content ? [{ message: `${path} cannot be read: ${content.problem}.`, hint: UNREAD }] : [];
  });
  if (paths.length > 1) unread.push({ message: `Several workflows test pull requests: ${paths.join(', ')}.`, hint: UNREAD });
  const [path = ''] = paths;
  const text = paths.length > 1 ? undefined : read(path);
  if (text === undefined) return { present: undefined, older, unread };
  if (path !== PIPELINE) return { present: readPresentWorkflow(path, text, facts), older, unread };
  const written = readWrittenPipeline(path, text, read(SHARDS) ?? '');
  return { present: written ?? readPresentPipeline(path, text, facts), older, unread };
}

export const UNREAD = 'Nothing is copied from there. Copy by hand what tests need, such as services and variables.';
const WRITTEN = '.github/workflows/affected.yml';
const [PIPELINE, SHARDS] = ['.gitlab-ci.yml', '.gitlab/affected.yml'] as const;

/** The first file of the only engine, which is not GitHub's: there may be workflows for other things. */
function onlyFile([engine, ...others]: readonly FoundEngine[], workTree: AbsolutePath): NodeSteps | undefined {
  const [path] = engine === undefined || others.length > 0 || engine.name === 'github' ? [] : engine.files;
  return path === undefined ? undefined : { path, images: imagesOfNode(readIfThere(workTree, path) ?? '') };
}

function withoutSteps({ path, extras, tests, others, tasks }: PresentWorkflow): Survey['workflow'] {
  return { path, extras, tests, others, tasks };
}

function packageManagerOf(folder: AbsolutePath, named: string | undefined): Pick<Survey, 'packageManager' | 'version' | 'linker'> {
  const lock = readIfThere(folder, 'yarn.lock');
  const settings = parseYarnSettings(readIfThere(folder, '.yarnrc.yml') ?? '');
  const raw = 'raw' in settings ? settings.raw : {};
  const [, name, version] = /^([a-z]+)@(\d[\w.-]*)/.exec(named ?? '') ?? [];
  const isYarn = name === 'yarn' || (name === undefined && lock !== undefined);
  const released = /yarn-(\d[\w.-]*)\.cjs$/.exec(typeof raw['yarnPath'] === 'string' ? raw['yarnPath'] : '')?.[1];
  const classic = lock?.startsWith('# THIS IS AN AUTOGENERATED FILE') === true && !lock.includes('__metadata:') ? '1' : undefined;
  const linker = raw['nodeLinker'];
  return {
    packageManager: isYarn ? 'yarn' : name === 'npm' || readIfThere(folder, 'package-lock.json') !== undefined ? 'npm' : 'unknown',
    version: isYarn ? (version ?? released ?? classic ?? null) : (version ?? null),
    // The default of Yarn 2 and later.
    linker: typeof linker === 'string' ? linker : isYarn && classic === undefined ? 'pnp' : 'node-modules',
  };
}

function countRunners(scripts: readonly string[]): Survey['runners'] {
  const counts = new Map<string, number>();
  for (const name of scripts.flatMap(runnersIn)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const runners = [...counts].map(([name, workspaces]) => ({ name, workspaces }));
  return runners.sort((one, other) => other.workspaces - one.workspaces || (one.name < other.name ? -1 : 1));
}

/** `tasks`: those of turbo.json; `null`: it is missing or invalid. */
function readTurboJson(folder: AbsolutePath): {
  readonly state: Survey['turboJson'];
  readonly tasks: Readonly<Record<string, unknown>> | null;
} {
  const text = readIfThere(folder, 'turbo.json') ?? readIfThere(folder, 'turbo.jsonc');
  if (text === undefined) return { state: 'missing', tasks: null };
  try {
    const value = readObject(text, 'turbo.json');
    return { state: 'read', tasks: asRecord(value['tasks'] ?? value['pipeline']) };
  } catch {
    return { state: 'invalid', tasks: null };
  }
}

async function mainBranch(git: Git): Promise<string> {
  const answer = await git.attempt(['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD']);
  const [, name] = /^refs\/remotes\/origin\/(.+)$/.exec(answer.stdout.toString('utf8').trim()) ?? [];
  if (name !== undefined) return name;
  // A clone made by `git fetch`, as in some CI engines, has no `origin/HEAD`.
  for (const branch of ['main', 'master'])
    if ((await git.attempt(['rev-parse', '--verify', '--quiet', `refs/remotes/origin/${branch}`])).exit === 0) return branch;
  return 'main';
}

async function findEngines(git: Git): Promise<readonly FoundEngine[]> {
  const paths = (await git.text(['ls-tree', '-r', '-z', '--name-only', '--full-tree', 'HEAD'])).split('\0');
  const owners = paths.map(engineOf);
  return ENGINES.flatMap((engine) => {
    const files = paths.filter((_, at) => owners[at] === engine);
    return files.length === 0 ? [] : [{ name: engine.name, title: engine.title, files }];
  });
}

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { closedEnvironment } from '@tributary/process/environment';
import { runProgram } from '@tributary/process/spawn';
import type { Services } from '@tributary/terminal/main';
import { yarnRelease } from '@tributary/test-repo/project-root';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import { History } from '../io/history.js';
import type { PackageManager, Surroundings } from '../io/package-managers.js';
import type { DemoFolders } from '../io/stage.js';
import { bot, ines, mara, tom, yuki } from '../organisation.js';

/** A repository to migrate. */
export interface Source {
  readonly name: string;
  readonly manager: PackageManager;
  readonly repo: TempRepo;
}

/** The repositories before the migration. */
export interface Organisation {
  readonly sources: readonly Source[];
  readonly monorepo: TempRepo;
}

/**
 * Creates the repositories and the monorepo, and publishes their releases in the registry. Throws `PROGRAM_MISSING` without git or npm,
 * `PROGRAM_FAILED` if one of them fails.
 */
export async function setUp(stage: DemoFolders, surroundings: Surroundings, { ui, signal }: Services): Promise<Organisation> {
  await runProgram({ program: 'git', args: ['--version'], env: closedEnvironment(process.env), signal });
  const progress = ui.progress();
  progress.phase('Making repositories', 4);
  const start = (folder: AbsolutePath, manager: PackageManager, begin: string): History => {
    const name = basename(folder);
    progress.step(name);
    return new History({ folder, template: parseAbsolutePath(join(stage.templates, name)), manager, begin }, surroundings);
  };
  const source = (name: string): AbsolutePath => parseAbsolutePath(join(stage.sources, name));
  // In this order, because docks needs a release of geo, and the app one of each.
  const geo = await makeGeo(start(source('geo'), 'npm', '2022-01-17T10:40:00Z'));
  const fares = await makeFares(start(source('fares'), 'Yarn 1', '2022-06-06T08:05:00Z'));
  const docks = await makeDocks(start(source('docks'), 'Yarn 4', '2023-10-02T07:50:00Z'), stage.root);
  const monorepo = await makeMonorepo(start(stage.monorepo, 'Yarn 4', '2025-09-01T09:00:00Z'));
  const sources: readonly Source[] = [
    { name: '@harbor/geo', manager: 'npm', repo: geo },
    { name: '@harbor/fares', manager: 'Yarn 1', repo: fares },
    { name: '@harbor/docks', manager: 'Yarn 4', repo: docks },
  ];
  return { sources, monorepo };
}

/** A file name that is not ASCII, and a commit that looks signed. */
async function makeGeo(history: History): Promise<TempRepo> {
  const plumbob1 = { '"^2.0.0"': '"^1.2.0"' };
  await history.commit(ines, 'Start @harbor/geo', ['package.json', '.gitignore', '.npmignore', '.npmrc'], plumbob1);
  const alone = { ", ...require('./src/nearest.js')": '' };
  await history.commit(ines, 'Great circles', ['src/distance.js', 'index.js'], { ...alone, '6371008.8': '6371000' });
  await history.commit(ines, 'The places that tests are about', ['places']);
  await history.release(ines, '1.0.0');
  await history.commit(yuki, 'Take the mean radius', ['src/distance.js']);
  await history.branch('nearest', async () => {
    await history.commit(tom, 'Find the nearest place', ['src/nearest.js', 'index.js']);
    await history.commit(tom, 'Test it at the pier', ['test']);
  });
  await history.commit(bot, 'Update plumbob to 2', ['package.json']);
  history.merge(ines, ['nearest'], 'Merge pull request #14 from harbor/nearest\n\nFind the nearest place');
  await history.release(ines, '1.1.0', 'The nearest place\n');
  history.signedCommit(yuki, 'Say what belongs here', 'README.md');
  await history.commit(ines, 'Run the tests on GitHub', ['.github']);
  await history.release(tom, '2.0.0', 'Needs plumbob 2\n');
  return history.repo;
}

/** A table with CRLF line ends. */
async function makeFares(history: History): Promise<TempRepo> {
  const ledgerly1 = { '"^1.2.0"': '"^1.0.0"' };
  await history.commit(tom, 'Start @harbor/fares', ['package.json', '.gitignore', '.yarnrc', 'README.md'], ledgerly1);
  await history.commit(tom, 'The table of the finance department', ['data'], { 'harbour,60,10\r\n': '' });
  const everyMinute = { "Math.max(0, number(minutes, 'minutes') - 5)": "number(minutes, 'minutes')" };
  await history.commit(tom, 'Quote a trip', ['src', 'index.js'], everyMinute);
  await history.release(tom, '0.1.0');
  await history.branch('harbour-zone', () => history.commit(ines, 'A zone for the harbour', ['data']));
  await history.commit(mara, 'The first five minutes are free', ['src/quote.js']);
  history.merge(tom, ['harbour-zone'], "Merge branch 'harbour-zone'");
  await history.commit(yuki, 'Test the centre and the cap', ['test']);
  await history.release(tom, '1.0.0', 'Prices of summer\n');
  await history.commit(bot, 'Update ledgerly to 1.2', ['package.json']);
  await history.commit(mara, 'Name the owners', ['CODEOWNERS']);
  await history.release(mara, '1.1.0', 'Maintenance\n');
  return history.repo;
}

/** A committed Yarn, an executable, an octopus merge, and a dependency on another of the repositories. */
async function makeDocks(history: History, root: AbsolutePath): Promise<TempRepo> {
  const geo1 = { '"^2.0.0"': '"^1.1.0"' };
  history.repo.write({ '.yarn/releases/yarn-4.18.1.cjs': readFileSync(yarnRelease(root)) });
  const settings = ['.gitattributes', '.gitignore', '.yarnrc.yml', 'README.md'];
  await history.commit(mara, 'Start @harbor/docks', ['package.json', ...settings], geo1);
  const without = (...modules: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(modules.map((name) => [`export * from './src/${name}.js';\n`, '']));
  await history.commit(mara, 'Read stations', ['src/station.js', 'index.js'], without('empty', 'full', 'search'));
  await history.release(mara, '0.2.0');
  await history.commit(ines, 'Find the nearest bike', ['src/search.js', 'index.js'], without('empty', 'full'));
  await history.release(mara, '1.0.0', 'Opening day\n');
  await history.branch('full', () => history.commit(tom, 'Full stations', ['src/full.js']));
  await history.branch('empty', () => history.commit(yuki, 'Empty stations', ['src/empty.js']));
  await history.branch('program', () => history.commit(ines, 'A program for the desk', ['bin']));
  history.merge(mara, ['full', 'empty', 'program'], "Merge branches 'full', 'empty' and 'program'");
  await history.commit(tom, 'Test at the pier', ['test', 'index.js']);
  await history.release(mara, '1.1.0', 'Full, empty, free\n');
  await history.commit(bot, 'Update @harbor/geo to 2', ['package.json']);
  await history.release(ines, '1.1.1');
  return history.repo;
}

/** The monorepo of the app, with one package of its own, and a tributary.json that names the repositories to migrate. */
async function makeMonorepo(history: History): Promise<TempRepo> {
  const early = { '.turbo\n.tributary\nplan.json\n': '', '\nBikes for a port town.\n': '' };
  const manifests = ['package.json', 'apps/rider/package.json', 'packages/brand/package.json'];
  const files = ['.gitignore', '.yarnrc.yml', 'README.md', 'apps/rider/src', 'packages/brand/brand.js'];
  await history.commit(mara, 'One workspace for the app', [...manifests, ...files], early);
  await history.commit(tom, 'Test the welcome', ['apps/rider/test']);
  await history.commit(mara, 'Say where the packages come from', ['tributary.json']);
  // A user who tries the demo's commands later may have no identity.
  history.repo.git('config', 'user.name', mara.name);
  history.repo.git('config', 'user.email', mara.email);
  return history.repo;
}

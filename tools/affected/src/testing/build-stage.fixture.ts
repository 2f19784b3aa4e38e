import type { TestedPackage } from './shard-repo.fixture.js';

/** FOR TESTS. A build that leaves its name in the log. */
function built(name: string): TestedPackage {
  const build = `node -e "fs.mkdirSync('dist', { recursive: true }); fs.writeFileSync('dist/out', '1'); fs.appendFileSync(process.env.RAN_LOG, 'build ${name}\\n')"`;
  return { manifest: { scripts: { build, test: `node ../../run-tests.mjs ${name} 0` } } };
}

/** Its tests fail without both builds. */
const USER = { dependencies: ['left', 'right'], test: 'node ../../need-builds.mjs' };

/** FOR TESTS. Two workspaces with a build, and two that need both. */
export const STAGE_PACKAGES: Readonly<Record<string, TestedPackage>> = { left: built('left'), right: built('right'), app: USER, web: USER };

/** FOR TESTS. The files at the root of a monorepo with these workspaces. */
export const STAGE_FILES = {
  'need-builds.mjs': `import { appendFileSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { cwd, env } from 'node:process';
for (const lib of ['p0', 'p1']) readFileSync('../' + lib + '/dist/out');
appendFileSync(env.RAN_LOG, 'test ' + basename(cwd()) + '\\n');
`,
  '.gitignore': 'node_modules\n.turbo\n.yarn\n.tributary\ndist\ngen\n',
  'turbo.json': JSON.stringify({
    globalPassThroughEnv: ['RAN_LOG'],
    tasks: { build: { dependsOn: ['^build'], outputs: ['dist/**'] }, test: { dependsOn: ['^build'] } },
  }),
};

/** FOR TESTS. A timings file with which a stage pays off: otherwise each shard would build for 600 seconds. `tests`: how many ran of app. */
export function stageTimings(tests?: number): string {
  const seconds = { 'left#test': 20, 'right#test': 20, 'app#test': 300, 'web#test': 300, 'left#build': 300, 'right#build': 300 };
  const names = Object.keys(seconds);
  const each = (valueAt: (at: number) => number): object => Object.fromEntries(names.map((task, at) => [task, [valueAt(at)]]));
  const tasks = Object.fromEntries(Object.entries(seconds).map(([task, time]) => [task, [time]]));
  const machine = { cores: each(() => 2), concurrency: each(() => 1) };
  const counts = tests === undefined ? {} : { tests: { 'app#test': [tests] } };
  return JSON.stringify({ schemaVersion: 1, tasks, startedAt: each((at) => at + 1), ...machine, ...counts });
}

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import { engineNamed } from '../engines/detect.js';
import { ENGINES } from '../engines/engines.js';
import { ShardRepo } from '../testing/shard-repo.fixture.js';
import { readTemplate } from './hosted.fixture.js';
import { bringAffected } from './packed-tool.fixture.js';
import { oneJobOf, readShared, scriptsOf, type TemplateScript, type TemplateScripts } from './template-scripts.fixture.js';

// Runs each template's job without its engine: shells run the unchanged scripts, and these start the packed tool. The root's package.json
// allows only Yarn. npm and npx stop there with EBADDEVENGINES, so here they always fail.

const cleanUp = cleanUpIn(afterAll);
let shards: ShardRepo;
let bin: string;

beforeAll(async () => {
  shards = await ShardRepo.create(cleanUp, { one: { builds: true } }, { changed: ['one'] });
  const { repo, work } = shards;
  const manifest = JSON.parse(readFileSync(join(repo.path, 'package.json'), 'utf8'));
  const devEngines = { packageManager: { name: 'yarn', version: '>=4', onFail: 'error' } };
  repo.write({
    'package.json': formatManifest({ ...manifest, devEngines }),
    ...readShellTemplates(),
  });
  await bringAffected(shards);
  repo.commit('Bring affected along');
  bin = join(work, 'more-bin');
  writePrograms(bin);
});

/** Returns the shell scripts of all templates, by their paths in a repository. */
function readShellTemplates(): Readonly<Record<string, string>> {
  const files = ENGINES.flatMap(({ setup }) => Object.entries(setup.files)).filter(([template]) => template.endsWith('.sh'));
  return Object.fromEntries(files.map(([template, path]) => [path, readTemplate(template)]));
}

/** Writes the programs that machines have, and stand-ins for those that no script may use. */
function writePrograms(folder: string): void {
  mkdirSync(folder);
  const programs = {
    npm: 'echo "EBADDEVENGINES"; exit 1',
    npx: 'echo "EBADDEVENGINES"; exit 1',
    corepack: '[ "$*" = enable ]',
    'buildkite-agent': `case "$1 $2" in
  'artifact upload') mkdir -p "$ARTIFACTS/.tributary" && cp "$3" "$ARTIFACTS/$3" ;;
  'artifact download') cp -R "$ARTIFACTS/.tributary" . ;;
esac`,
  };
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

const madeUp = readFileSync(join(findProjectRoot(), 'tools/affected/src/engines/made-up-engine.fixture.yml'), 'utf8');

test.each<[engine: string, read: () => TemplateScripts]>([
  ...ENGINES.map((engine): [string, () => TemplateScripts] => [engine.name, () => scriptsOf(engine)]),
  // The packed tool does not know its name, so the id of the only shard comes from here.
  ['made-up', () => readShared(madeUp.replace(/node \S+ emit made-up --plan \S+/, '($& || echo 01)'))],
])(
  '%s: plan, shard and gate start the package in a repository for Yarn alone, and leave nothing behind',
  async (_, read) => {
    const template = read();
    const [kept, temporary] = [cleanUp.add(new TempFolder()).path, cleanUp.add(new TempFolder()).path];
    const run = (scripts: readonly TemplateScript[]): Promise<string> => runScripts(scripts, template, { kept, temporary });
    await run(template.plan);
    expect(await run(template.shardAndGate(kept, shards.repo.path))).toContain('All 1 planned piece in 1 shard ran and passed.');
    expect(shards.repo.git('status', '--porcelain')).toBe('');
    expect(readdirSync(temporary).filter((name) => name.startsWith('tmp.'))).toEqual([]);
  },
  120_000,
);

test.each(ENGINES.map((engine) => [engine.name, engine] as const))('%s: one job does all of it', async (_, engine) => {
  const template = oneJobOf(engine);
  const [kept, temporary] = [cleanUp.add(new TempFolder()).path, cleanUp.add(new TempFolder()).path];
  const printed = await runScripts(template.shardAndGate(kept, shards.repo.path), template, { kept, temporary });
  expect(printed).toContain('All 1 planned piece in 1 shard ran and passed.');
  expect(shards.repo.git('status', '--porcelain')).toBe('');
});

test.each([
  ['github', 'summary'],
  ['azure', 'a workspace/affected/summary.md'],
])('%s: the summary of one job begins with how its tests ended, and ends with the plan', async (name, file) => {
  const template = oneJobOf(engineNamed(name));
  const [kept, temporary] = [cleanUp.add(new TempFolder()).path, cleanUp.add(new TempFolder()).path];
  await runScripts(template.shardAndGate(kept, shards.repo.path), template, { kept, temporary });
  const headings = readFileSync(join(kept, file), 'utf8').match(/^## .*/gm);
  expect(headings).toEqual(['## All planned tests ran and passed', expect.stringMatching(/^## 1 shard, about /)]);
});

/** The input of GitHub, and the variable of the others. */
const SEVERAL = { TASK: 'test,build', PLAN_OPTIONS: '--shards 1 --task test,build' };

test.each(ENGINES.map((engine) => [engine.name, engine] as const))('%s: its options name several tasks', async (_, engine) => {
  const template = oneJobOf(engine);
  const [kept, temporary] = [cleanUp.add(new TempFolder()).path, cleanUp.add(new TempFolder()).path];
  const printed = await runScripts(template.shardAndGate(kept, shards.repo.path), template, { kept, temporary, more: SEVERAL });
  expect(printed).toContain('All 2 planned pieces in 1 shard ran and passed.');
});

/** Runs scripts, which must end with 0, and returns their output. */
async function runScripts(
  scripts: readonly TemplateScript[],
  { shell: [program, ...options], variables }: TemplateScripts,
  { kept, temporary, more = {} }: { readonly kept: string; readonly temporary: string; readonly more?: Readonly<Record<string, string>> },
): Promise<string> {
  let printed = '';
  for (const script of scripts) {
    const { code, stdout, stderr } = await runProcess(program, [...options, script.text], {
      cwd: shards.repo.path,
      env: {
        ...shards.environment,
        PATH: `${bin}:${shards.environment['PATH']}`,
        TMPDIR: temporary,
        ...variables(kept),
        ...script.variables,
        ...more,
      },
      timeoutMs: 60_000,
    });
    expect([script.text, code, stderr]).toEqual([script.text, 0, expect.any(String)]);
    printed += stdout;
  }
  return printed;
}

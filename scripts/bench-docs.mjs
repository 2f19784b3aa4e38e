// Writes docs/benchmarks.md from the benches of bench/. `npm run bench:docs [name …]` runs the named ones, or all on the page, and replaces
// their sections. Each section has the date, the machine and the versions of its run.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const PAGE = join(root, 'docs/benchmarks.md');
/** Benches that need only git and Node, and run in minutes. */
export const BENCHES = {
  affected: {
    title: 'Select workspaces',
    args: ['--sizes', '100,1000', '--rounds', '5', '--no-peers'],
    about: 'Time of the whole command `affected`, compared with `node -e 0`, on generated monorepos of 100 and 1,000 workspaces.',
  },
  rewrite: {
    title: 'Rewrite a history',
    args: [],
    about: 'Time to move a generated history under a path. git-filter-repo takes part if it is installed.',
  },
};
const HEAD = `# Benchmarks

Written by \`npm run bench:docs\`. Each bench runs all contestants in turn and prints medians. Compare ratios, not times:
a busy machine changes both sides of a ratio. Run a bench with its command to measure your own machine.
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));

function main(names) {
  const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) throw new Error(`Unknown bench ${unknown.join(', ')}. Known: ${Object.keys(BENCHES).join(', ')}.`);
  let page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : HEAD;
  for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
    const load = loadavg()[0].toFixed(1);
    const output = runBench(name);
    page = withSection(page, name, sectionOf(name, { output, facts: factsOf(load) }));
    writeFileSync(PAGE, page);
  }
}

/** Returns the page with the section of a bench replaced, or appended if the page has none yet. */
export function withSection(page, name, section) {
  const [head, ...sections] = (page.startsWith(HEAD) ? page.slice(HEAD.length) : '').split(/^(?=## )/m);
  const { title } = BENCHES[name];
  const kept = sections.map((text) => text.trimEnd()).filter((text) => !text.startsWith(`## ${title}\n`));
  const order = Object.values(BENCHES).map((bench) => `## ${bench.title}\n`);
  const rankOf = (text) => order.findIndex((start) => text.startsWith(start));
  return `${HEAD}${head.trimEnd()}\n${[...kept, section].sort((a, b) => rankOf(a) - rankOf(b)).join('\n\n')}\n`;
}

/** Returns the section of one bench: what it measures, where it ran, and its unchanged output. */
export function sectionOf(name, { output, facts }) {
  const { title, args, about } = BENCHES[name];
  const command = ['npm run', `bench:${name}`, ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
  const list = facts.map(([label, value]) => `- ${label}: ${value}`).join('\n');
  return `## ${title}\n\n${about}\n\n${list}\n\n\`\`\`text\n$ ${command}\n${output.trimEnd()}\n\`\`\``;
}

function runBench(name) {
  const ran = spawnSync(process.execPath, [join(root, `bench/out/${name}.cjs`), ...BENCHES[name].args], { cwd: root, encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(`The bench ${name} failed:\n${ran.stderr ?? ran.error?.message}`);
  return ran.stdout;
}

function factsOf(load) {
  const git = spawnSync('git', ['--version'], { encoding: 'utf8' }).stdout.trim().replace('git version ', 'git ');
  const commit = spawnSync('git', ['rev-parse', '--short=10', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return [
    ['date', new Date().toISOString().slice(0, 10)],
    ['machine', `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${memory}, ${process.platform} ${process.arch}`],
    ['load before the run', load],
    ['versions', `Tributary ${commit}, Node ${process.versions.node}, ${git}`],
  ];
}

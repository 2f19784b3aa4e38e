// Prepares a release: `npm run release:prepare -- 0.2.0`. Writes the version into the three tools, and closes the section "Unreleased" of
// CHANGELOG.md. Commits and publishes nothing: it prints the commands for that.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOOLS } from './tools.mjs';

const root = process.cwd();
const [version = ''] = process.argv.slice(2);

if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(version))
  refuse(2, `"${version}" is no version.`, 'npm run release:prepare -- 0.2.0');
const current = JSON.parse(read(`tools/${TOOLS[0]}/package.json`)).version;
if (compare(version, current) <= 0) refuse(1, `${version} is not newer than ${current}.`, 'Choose the next version by https://semver.org.');
if (git('status', '--porcelain') !== '') refuse(1, 'The work tree has changes.', 'Commit them first: a release is one commit of its own.');

const changelog = read('CHANGELOG.md');
const [, after = ''] = changelog.split('## Unreleased\n');
const [unreleased = ''] = after.split(/^## /m);
if (unreleased.trim() === '') refuse(1, 'CHANGELOG.md has nothing under "Unreleased".', 'Say there what has changed for users.');

write(
  'CHANGELOG.md',
  changelog.replace('## Unreleased\n', () => `## Unreleased\n\n## ${version} (${new Date().toISOString().slice(0, 10)})\n`),
);
for (const tool of TOOLS) {
  replaceOnce(`tools/${tool}/package.json`, `"version": "${current}"`, `"version": "${version}"`);
  replaceOnce(`tools/${tool}/src/version.ts`, `'${current}'`, `'${version}'`);
}
console.log(`${version} is prepared. Look at it with "git diff", then:

  git commit --all --message "Release ${version}"
  git tag --annotate v${version} --message "${version}"
  git push --atomic origin HEAD v${version}

To see the packages and their checksums first: "npm run build", then "node scripts/pack-tools.mjs packed". The tag starts .github/workflows/release.yml.`);

/** Compares versions number by number, from the left; both have the same count of numbers. */
function compare(one, other) {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number));
  return left.map((number, at) => number - right[at]).find((difference) => difference !== 0) ?? 0;
}

function replaceOnce(file, from, to) {
  const parts = read(file).split(from);
  if (parts.length !== 2)
    refuse(1, `${file} has ${from} ${parts.length - 1} times, not once.`, 'The versions of the three tools must be the same.');
  write(file, parts.join(to));
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) refuse(1, `git ${args.join(' ')} failed: ${stderr.trim()}`, 'Run it in the root of the repository.');
  return stdout.trim();
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}

function write(file, text) {
  writeFileSync(join(root, file), text);
}

function refuse(code, message, hint) {
  console.error(`error: ${message}\nhint: ${hint}`);
  process.exit(code);
}

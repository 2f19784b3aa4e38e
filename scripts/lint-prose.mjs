// Checks user-facing text for plain English: `node scripts/lint-prose.mjs [part of a path …]` lists the faults. Exits with 1 if a file has
// more than scripts/prose-debt.json allows. `--accept` writes the current faults there. CONTRIBUTING.md explains how to excuse a text.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultsOfMarkdown, faultsOfText } from './prose.mjs';
import { textsOfCode } from './prose-in-code.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const DEBT = join(root, 'scripts/prose-debt.json');
/** The maximum number of words in a sentence. */
const WORDS = 25;
/** Pages and sources that may still have longer sentences. Only ever lower these. */
const EXCEPTIONS = [
  [/^docs\/decisions\//, 30],
  [/^docs\/(?:cli|errors|guides|reference|architecture|security)/, 40],
  [/\.ts$/, 35],
];

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));

function main(args) {
  const only = args.filter((arg) => !arg.startsWith('--'));
  const files = listProse(root).filter((file) => only.length === 0 || only.some((part) => file.includes(part)));
  const found = new Map(files.map((file) => [file, faultsOfFile(file, readFileSync(join(root, file), 'utf8'))]));
  if (args.includes('--accept')) return accept(found);
  const known = JSON.parse(readFileSync(DEBT, 'utf8'));
  const worse = [...found].filter(([file, faults]) => faults.length > (only.length > 0 ? 0 : (known[file] ?? 0)));
  for (const [file, faults] of worse) {
    if (known[file] !== undefined) console.error(`${file}: ${faults.length} faults, of which ${known[file]} are known:`);
    for (const { line, fault, text } of faults) console.error(`${file}:${line}: ${fault}\n    ${text.trim()}`);
  }
  const debt = [...found.values()].flat().length;
  console.error(`Prose: ${files.length} files, ${worse.length} over their limit; ${debt} faults in all.`);
  process.exitCode = worse.length === 0 ? 0 : 1;
}

function accept(found) {
  const debt = [...found].filter(([, faults]) => faults.length > 0).map(([file, faults]) => [file, faults.length]);
  writeFileSync(DEBT, `${JSON.stringify(Object.fromEntries(debt.sort()), null, 2)}\n`);
}

/** Returns the files with prose, committed or about to be: pages, and the sources of tools and packages without their tests. */
export function listProse(folder) {
  const args = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  if (listed.status !== 0) throw new Error(`git could not list the files: ${listed.stderr}`);
  const files = new Set(listed.stdout.split('\0').filter((file) => isPage(file) || isSource(file)));
  return [...files].filter((file) => existsSync(join(folder, file)));
}

/** Returns the faults of a file as `{ line, fault, text }`; its path decides how long sentences may be. */
export function faultsOfFile(file, text) {
  const maxWords = EXCEPTIONS.find(([pattern]) => pattern.test(file))?.[1] ?? WORDS;
  if (isPage(file)) return faultsOfMarkdown(text, maxWords);
  return textsOfCode(file, text).flatMap((part) => faultsOfText(part.text, maxWords).map((fault) => ({ line: part.line, ...fault })));
}

function isPage(file) {
  return file.endsWith('.md') && !/^(?:THIRD-PARTY-NOTICES\.md$|\.github\/)/.test(file);
}

function isSource(file) {
  return (
    /^(?:tools|packages)\/[^/]+\/src\/.*\.ts$/.test(file) && !/\.(?:test|fixture)\.ts$|^packages\/test-repo\/|\/organisation\//.test(file)
  );
}

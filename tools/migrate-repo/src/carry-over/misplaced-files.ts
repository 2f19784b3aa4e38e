import { isInside, joinRepoPath, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { isCovered } from '@tributary/workspaces/discover';
import { parseManifest } from '@tributary/workspaces/manifest';
import type { TreeFiles } from '../align/project.js';
import { fieldsIn, scriptsOf } from '../fields.js';
import { listing, type Message } from '../message.js';
import { shellCommandsIn } from '../scripts.js';
import { code, someOf } from '../text.js';
import { isYarn } from './manifest/lifecycle.js';
import { type CommandReading, folderAfter, type MisplacedCommand, misplacedCommands } from './other-managers.js';
import type { CarriedPackage, CarryOverRepository } from './repository.js';
import type { CarryOverFinding } from './rule.js';

/** A misplaced command, and where it stands. */
export interface PlacedCommand extends MisplacedCommand {
  readonly place: string;
}

interface PackageFiles {
  readonly importedPackage: CarriedPackage;
  readonly files: TreeFiles;
  /** The folder of the root package.json. */
  readonly root: RepoFolder;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** Returns the messages about misplaced commands: one for each effect, with its places. */
export function tellMisplaced(found: readonly PlacedCommand[]): readonly Message[] {
  const groups = new Map<string, { readonly topic: Message['topic']; readonly places: Set<string> }>();
  for (const { command, effect, instead, topic = 'behaviour', place } of found) {
    const text = `${effect} Use ${instead} in its place.`;
    const group = groups.get(text) ?? { topic, places: new Set() };
    groups.set(text, { ...group, places: group.places.add(`${code(command)}: ${place}`) });
  }
  return [...groups].map(([text, { topic, places }]) => ({ topic, text, detail: someOf([...places]) }));
}

/** Returns what is needed to judge the commands of a package. */
export function commandReading({ importedPackage, files, root, manifest }: PackageFiles): CommandReading {
  const own = new Set(files.paths.filter((path) => isInside(path, importedPackage.path)));
  const isYarn2 = own.has(inside(importedPackage, '.yarnrc.yml')) || isYarn(manifest, '2');
  const rootManifest = parseManifest(files.read(joinRepoPath(root, 'package.json')) ?? '', 'package.json');
  return {
    wasYarn1: !isYarn2 && !isYarn(rootManifest.raw, '1'),
    scripts: new Set(Object.keys(scriptsOf(manifest))),
    projectIn: (folder) => {
      const place = inside(importedPackage, folder);
      if (!own.has(joinRepoPath(place, 'package.json')) || isCovered(rootManifest, relativeTo(root, place) as RepoPath)) return undefined;
      const lock = joinRepoPath(place, 'yarn.lock');
      if (!own.has(lock)) return 'without yarn.lock';
      return /^# yarn lockfile v1$/m.test(files.read(lock) ?? '') ? 'with yarn.lock of Yarn 1' : 'with yarn.lock';
    },
  };
}

/**
 * Reports commands in files that scripts and people run: shell scripts, makefiles, and the files that the scripts in
 * package.json name. Workflows are reported with what they did.
 */
export function misplacedInFiles({ files, root, importedPackages }: CarryOverRepository): readonly CarryOverFinding[] {
  return importedPackages.flatMap((importedPackage) => {
    const manifest = fieldsIn(files.read(inside(importedPackage, 'package.json')));
    const reading = commandReading({ importedPackage, files, root, manifest });
    const scripts = Object.values(scriptsOf(manifest)).join(' ');
    const called = new Set([...scripts.matchAll(/(?:^|[\s"'=])(?:\.\/)?([\w@][\w./@-]*)/g)].map(([, path = '']) => path));
    return files.paths.flatMap((path): readonly CarryOverFinding[] => {
      if (!isInside(path, importedPackage.path) || importedPackage.links.has(path)) return [];
      const file = relativeTo(importedPackage.path, path);
      if (!isRun(file, called)) return [];
      const text = files.read(path) ?? '';
      const isShell = /\.(?:sh|bash)$/.test(file) || /^#!.*sh\b/.test(text);
      const variables = reading.wasYarn1 ? [...new Set([...text.matchAll(NOT_SET)].map(([name]) => code(name)))] : [];
      const remarks = [...tellMisplaced(misplacedLines(text, reading, isShell ? 'shell' : 'line')), ...listing(UNSET, variables, 5)];
      return remarks.length === 0 ? [] : [describe(importedPackage, file, remarks)];
    });
  });
}

/** Variables that npm and Yarn 1 set for each field of package.json. Yarn 2 and later sets only those of these names. */
const NOT_SET = /\bnpm_package_(?!(?:name|version|json)\b)\w+/g;
const UNSET: Message = { topic: 'behaviour', text: 'Yarn does not set these variables: read the fields from package.json.' };

/** Where a shell is in the former folder again: after a subshell, in another step of a workflow. */
const BACK = /^\s*(?:\)|popd\b|cd -|-\s)/;

/** Returns the misplaced commands of a text, line by line. `shell`: a `cd` also holds for the next lines. */
export function misplacedLines(text: string, reading: CommandReading, by: 'line' | 'shell' = 'line'): readonly PlacedCommand[] {
  let folder = '.';
  // The end of a text for another program.
  let end = '';
  return text.split(/\r?\n/).flatMap((line, at) => {
    if (end !== '') {
      if (line.trim() === end) end = '';
      return [];
    }
    if (by === 'shell') end = /(?<![\w<])<<-?\s*["']?([A-Za-z_]\w*)/.exec(line)?.[1] ?? '';
    if (BACK.test(line)) folder = '.';
    const found = commandsOfLine(line).flatMap((command) => misplacedCommands(command, reading, folder));
    if (by === 'shell' && !line.includes('('))
      folder = shellCommandsIn(line).reduce((now, { text: command }) => folderAfter(command, now), folder);
    // A line tells each command once.
    return [...new Map(found.map((one) => [one.command, { ...one, place: `line ${at + 1}` }])).values()];
  });
}

/** What JavaScript starts: `execSync('npm version patch')`, `spawn('npm', ['ci'])`. */
const STARTED =
  /\b(?:exec|spawn|fork|execa|run|sh|shell|\$)\w*(?:\.\w+)?\s*\(?\s*(?:"([^"]+)"|'([^']+)'|`([^`]+)`)(?:\s*,\s*\[([^\]]*)\])?/g;

/** What a shell or a makefile runs for its output, also inside of a quoted text, and `$` of zx. */
const SUBSTITUTED = /\$\((?:shell\s+)?([^()]+)\)|[$="]`([^`]+)`/g;

/** In characters. A bundle is often one line. */
const LONGEST_LINE = 10_000;

/** Returns the commands of a line of a shell script, a makefile, a workflow or JavaScript. */
function commandsOfLine(line: string): readonly string[] {
  // Nobody wrote it, and reading it may take minutes.
  if (line.length > LONGEST_LINE) return [];
  const started = [...line.matchAll(STARTED)].map(([, double, single, back, list = '']) =>
    [double ?? single ?? back ?? '', ...list.split(',').map((one) => one.trim().replace(/^["'`]|["'`]$/g, ''))].join(' ').trim(),
  );
  const plain = line.replace(/^\s*(?:-\s+)?(?:run:\s*)?/, '');
  // Comments: of JavaScript, of a shell.
  if (plain.startsWith('//')) return [];
  const substituted = [...plain.matchAll(SUBSTITUTED)].map(([, command, back = '']) => command ?? back);
  return [...(plain.startsWith('#') ? [] : [plain, ...substituted]), ...started];
}

function isRun(file: string, called: ReadonlySet<string>): boolean {
  if (/(?:^|\/)(?:node_modules|fixtures?|__fixtures__|testdata)\//.test(file) || file === 'package.json') return false;
  const isShell = /\.(?:sh|bash|mk)$|(?:^|\/)(?:GNU)?[Mm]akefile$|^justfile$/.test(file);
  // A document that a script names is not run, though it shows commands.
  const isProgram = /(?:^|\/)[^.]+$|\.(?:[cm]?[jt]sx?|py|rb|pl)$/.test(file);
  return isShell || (isProgram && (called.has(file) || called.has(file.replace(/\.[cm]?[jt]s$/, ''))));
}

function inside({ path }: CarriedPackage, file: string): RepoPath {
  return joinRepoPath(path, file);
}

function describe({ name }: CarriedPackage, file: string, remarks: readonly Message[]): CarryOverFinding {
  return {
    importedPackage: name,
    rule: 'Commands that work differently in a workspace',
    file,
    action: 'keep',
    done: undefined,
    remarks,
    reason: 'git, npm and pnpm work on the whole repository',
  };
}

import { LOCKFILE_NAMES } from '@tributary/lockfile/lockfile';
import { setsCredential } from '../../credentials.js';
import type { Message } from '../../message.js';
import {
  type CarryOverRule,
  dropNoted,
  dropped,
  inPackage,
  inProject,
  keepEach,
  kept,
  type RuleOutcome,
  type RuleSubject,
  without,
} from '../rule.js';

export const lockfiles: CarryOverRule = {
  title: 'Lockfiles',
  matches: ['yarn.lock', 'package-lock.json', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb', '.pnp.{js,cjs,loader.mjs,data.json}'],
  action: 'drop',
  reason: 'the yarn.lock of the root applies; with one here, Yarn treats the package as a separate project. Its versions are carried over',
  apply: (subject) =>
    dropNoted(
      subject,
      subject.files.map((file) => dropped(file, GONE, isUnread(file, subject) ? UNREAD : undefined)),
    ),
};

const GONE = 'It was removed: the yarn.lock of the root applies.';

/** Whether a lockfile of Bun is the only one. */
function isUnread(file: string, { read }: RuleSubject): boolean {
  return file.startsWith('bun.lock') && LOCKFILE_NAMES.every((name) => read(name) === undefined);
}

const UNREAD: Message = {
  topic: 'install-settings',
  text: 'Its versions were not carried over, because migrate-repo does not read it: Yarn installs the newest ones that the ranges allow.',
};

export const shrinkwrap: CarryOverRule = {
  title: 'Shrinkwrap',
  matches: ['npm-shrinkwrap.json'],
  action: 'keep',
  reason: 'npm publishes it, and consumers of the package get its versions',
  apply: (subject) =>
    keepEach(subject, () => [
      { topic: 'releases', text: 'Nothing in the monorepo updates it: delete it, or regenerate it before each release.' },
    ]),
};

export const managerSettings: CarryOverRule = {
  title: 'Settings of package managers',
  matches: ['.yarnrc.yml', '.yarnrc', '.npmrc', '.pnpmfile.cjs', 'pnpm-workspace.yaml', 'bunfig.toml'],
  action: 'drop',
  reason: 'inside the package, they would override the linker and registry of the root; their versions and scopes are carried over',
  apply: dropSettings,
};

export const yarnFolder: CarryOverRule = {
  title: "Yarn's own files",
  matches: [
    '.yarn/{releases,plugins,cache,unplugged,sdks}',
    '.yarn/{releases,plugins,cache,unplugged,sdks}/**',
    '.yarn/{install-state.gz,build-state.yml}',
  ],
  action: 'drop',
  reason: 'the Yarn of the root is used',
  apply: dropYarnFolders,
};

export const yarnVersions: CarryOverRule = {
  title: "Yarn's deferred versions",
  matches: ['.yarn/versions/**'],
  action: 'keep',
  reason: 'they are read in the folder of the root',
  apply: ({ files }) => ({
    edits: new Map(),
    notes: [
      kept('.yarn/versions/', {
        topic: 'releases',
        text: 'It has pending releases, which nothing reads there: apply them before the migration, or move them to the root.',
        detail: `${files.length} waiting`,
      }),
    ],
  }),
};

export const patches: CarryOverRule = {
  title: 'Patches of dependencies',
  matches: ['.yarn/patches/**', 'patches/**'],
  action: 'keep',
  inherits: true,
  reason: 'entries that name them get their new paths',
  apply: (subject) => {
    const { files, importedPackage, read, monorepo } = subject;
    const entries = [read('package.json'), monorepo.read(inProject(subject, 'package.json'))].join('\n');
    const places = files.flatMap((file) => {
      if (importedPackage.formerRoot?.inherited.has(inPackage(subject, file)) !== true) return [`${file.slice(0, file.lastIndexOf('/'))}/`];
      // Most patches of a former root are for other packages.
      return entries.includes(`/${file}`) ? [file] : [];
    });
    return { edits: new Map(), notes: [...new Set(places)].map((place) => kept(place)) };
  },
};

export const constraints: CarryOverRule = {
  title: "Yarn's constraints",
  matches: ['yarn.config.{cjs,js,mjs,ts}', 'constraints.pro'],
  action: 'keep',
  reason: 'Yarn runs only those of the root',
  apply: (subject) =>
    keepEach(subject, () => [
      { topic: 'workflows', text: 'Nothing runs it any more: add the rules that you still want to the one of the root.' },
    ]),
};

/** Removes settings files. Their values are never shown, because they may be credentials. */
function dropSettings(subject: RuleSubject): RuleOutcome {
  const notes = subject.files.map((file) =>
    dropped(
      file,
      'It was removed: only the settings of the root apply.',
      setsCredential(subject.read(file) ?? '') ? HELD : undefined,
      file === '.pnpmfile.cjs' ? PNPMFILE : undefined,
    ),
  );
  return { edits: without(subject, subject.files), notes };
}

const HELD: Message = {
  topic: 'credentials',
  text: 'It contains a credential, which was not carried over but is in the history: revoke it where it was issued.',
};

const PNPMFILE: Message = {
  topic: 'install-settings',
  text: 'Its hooks changed what pnpm resolved: do the same with packageExtensions or resolutions of the root.',
};

function dropYarnFolders(subject: RuleSubject): RuleOutcome {
  const folders = [...new Set(subject.files.map((file) => /^\.yarn\/[^/]+/.exec(file)?.[0] ?? file))];
  const notes = folders.map((file) => dropped(file, 'It was removed: the Yarn of the root is used.'));
  return { edits: without(subject, subject.files), notes };
}

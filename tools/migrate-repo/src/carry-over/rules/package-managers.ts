import { setsCredential } from '../../credentials.js';
import type { Message } from '../../message.js';
import { type CarryOverRule, dropped, keepEach, kept, type RuleOutcome, type Subject, without } from '../rule.js';

export const lockfiles: CarryOverRule = {
  title: 'Lockfiles',
  matches: ['yarn.lock', 'package-lock.json', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb', '.pnp.{js,cjs,loader.mjs,data.json}'],
  action: 'drop',
  reason:
    'the yarn.lock of the root holds; one here makes Yarn take the package for a project of its own. The versions it held are carried over',
};

export const shrinkwrap: CarryOverRule = {
  title: 'Shrinkwrap',
  matches: ['npm-shrinkwrap.json'],
  action: 'keep',
  reason: 'npm publishes it, and who installs the package gets the versions in it',
  apply: (subject) =>
    keepEach(subject, () => [
      { topic: 'releases', text: 'Nothing in the monorepo keeps it up to date: take it away, or write it anew before each release.' },
    ]),
};

export const managerSettings: CarryOverRule = {
  title: 'Settings of package managers',
  matches: ['.yarnrc.yml', '.yarnrc', '.npmrc', '.pnpmfile.cjs', 'pnpm-workspace.yaml', 'bunfig.toml'],
  action: 'drop',
  reason:
    'they would override the linker and registry of the root for whoever stands in the package; what they say about versions and scopes is carried over',
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
  reason: 'Yarn is the one of the root',
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
        text: 'Releases wait there, where nobody reads them: apply them before the migration, or move them to the root.',
        detail: `${files.length} waiting`,
      }),
    ],
  }),
};

export const patches: CarryOverRule = {
  title: 'Patches of dependencies',
  matches: ['.yarn/patches/**', 'patches/**'],
  action: 'keep',
  reason: 'who names them is told where they are now',
  apply: ({ files }) => ({
    edits: new Map(),
    notes: [...new Set(files.map((file) => `${file.slice(0, file.lastIndexOf('/'))}/`))].map((folder) => kept(folder)),
  }),
};

export const constraints: CarryOverRule = {
  title: "Yarn's constraints",
  matches: ['yarn.config.{cjs,js,mjs,ts}', 'constraints.pro'],
  action: 'keep',
  reason: 'Yarn runs those of the root only',
  apply: (subject) =>
    keepEach(subject, () => [
      { topic: 'root-files', text: 'Nobody runs it any more: put the rules that are still wanted into that of the root.' },
    ]),
};

/** No value of such a file is ever shown: it may be a credential. */
function dropSettings(subject: Subject): RuleOutcome {
  const notes = subject.files.map((file) =>
    dropped(
      file,
      'It was taken away: that of the root holds.',
      setsCredential(subject.read(file) ?? '') ? HELD : undefined,
      file === '.pnpmfile.cjs' ? PNPMFILE : undefined,
    ),
  );
  return { edits: without(subject, subject.files), notes };
}

const HELD: Message = {
  topic: 'credentials',
  text: 'It holds a credential, which was not carried over and stands in the history: withdraw it where it was issued.',
};

const PNPMFILE: Message = {
  topic: 'install-settings',
  text: 'Its hooks changed what pnpm resolved: say the same in packageExtensions or resolutions of the root.',
};

function dropYarnFolders(subject: Subject): RuleOutcome {
  const folders = [...new Set(subject.files.map((file) => /^\.yarn\/[^/]+/.exec(file)?.[0] ?? file))];
  const notes = folders.map((file) => dropped(file, 'It was taken away: Yarn is the one of the root.'));
  return { edits: without(subject, subject.files), notes };
}

import { BABEL_RULES } from './babel.js';
import { fileOrModuleAt, moduleAt } from './place.js';
import { file, modules, nothing, readerBy } from './rules.js';
import { except, guess, type Meanings, prefixedNames } from './short-names.js';

/** Reads a `typedoc.json`. Source: `typedoc-config.schema.json`. */
export const readTypedoc = readerBy(
  [moduleAt, 'extends', 'extends.*', 'plugin.*'],
  // A plugin defines it.
  [modules(guess), 'theme'],
  [file, 'entryPoints.*', 'projectDocuments.*', 'tsconfig', 'options', 'readme', 'customCss', 'customJs', 'basePath', 'media', 'favicon'],
  // It writes these.
  [nothing, 'out', 'json', 'outputs.*.path'],
);

/** Reads an `api-extractor.json`. Source: its schema. */
export const readApiExtractor = readerBy(
  [moduleAt, 'extends', 'bundledPackages.*'],
  [file, 'mainEntryPointFilePath', 'projectFolder', 'compiler.tsconfigFilePath', 'apiReport.reportFolder'],
  [nothing, 'apiReport.reportTempFolder'],
);

/** Reads a `lerna.json`. Source: `schemas/lerna-schema.json`. Yarn's own list of workspaces counts, not its `packages`. */
export const readLerna = readerBy(
  [moduleAt, 'extends'],
  [modules((name) => prefixedNames(name, 'conventional-changelog')), '**.changelogPreset', '**.changelogPreset.name'],
  [file, 'command.publish.contents', 'command.publish.directory'],
  [nothing, 'packages.*'],
);

/** Reads a `.postcssrc`. Source: `Config` of postcss-load-config 6. An option of a plugin may be anything. */
export const readPostcss = readerBy(
  [moduleAt, 'parser', 'syntax', 'stringifier', 'plugins.*', 'plugins.*.0'],
  [(value, folder) => fileOrModuleAt(value, folder, guess), '**'],
);

export const readPostcssMembers = readerBy([moduleAt, 'plugins'], [nothing, '**']);

/** These come with semantic-release, which looks for plugins in its own folder first. */
const OF_RELEASE = ['commit-analyzer', 'error', 'github', 'npm', 'release-notes-generator'].map((name) => `@semantic-release/${name}`);
const RELEASE_STEPS = [
  'verifyConditions',
  'analyzeCommits',
  'verifyRelease',
  'generateNotes',
  'prepare',
  'publish',
  'addChannel',
  'success',
];

/** Reads a `.releaserc`. Source: `get-config.js`, `plugins/index.js` and `definitions/plugins.js` of semantic-release 24. */
export const readRelease = readerBy(
  [moduleAt, 'extends', 'extends.*'],
  [
    modules(except(OF_RELEASE.join(' '))),
    ...['plugins', 'fail', ...RELEASE_STEPS].flatMap((list) => [list, `${list}.path`, `${list}.*`, `${list}.*.0`, `${list}.*.path`]),
  ],
);

/** Reads settings of bundlers. Source: `schemas/WebpackOptions.json` of webpack 5; others take presets and plugins of Babel. */
export const readBundler = readerBy([modules(loaderNames), '**.loader', '**.use', '**.use.*'], ...BABEL_RULES);

/** Without `loader` in its name, a text is rarely one. */
function loaderNames(text: string): Meanings {
  return { meant: /loader|^@/.test(text) ? text.split('!') : [], guessed: [] };
}

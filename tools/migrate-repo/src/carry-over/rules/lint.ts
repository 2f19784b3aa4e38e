import type { RepoPath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import minVersion from 'semver/ranges/min-version.js';
import validRange from 'semver/ranges/valid.js';
import { readLooseJson, setJson } from '../../edit/edit-json.js';
import { fieldsIn, mapIn } from '../../fields.js';
import { pathDecisions } from '../config-paths.js';
import {
  type CarryOverRule,
  type FileNote,
  inPackage,
  inProject,
  kept,
  nearestAbove,
  type RuleOutcome,
  type RuleSubject,
} from '../rule.js';

export const eslint: CarryOverRule = {
  title: 'ESLint',
  matches: ['.eslintrc', '.eslintrc.*', 'eslint.config.*', 'eslint-suppressions.json'],
  action: 'keep',
  reason: 'the nearest one applies; if both have the older format, "root": true keeps the one of the root out of the package',
  apply: keepRules,
};

export const formatters: CarryOverRule = {
  title: 'Other linters and formatters',
  matches: [
    '.prettierrc',
    '.prettierrc.*',
    'prettier.config.*',
    '.stylelintrc*',
    'stylelint.config.*',
    '.markdownlint*',
    'biome.json*',
    '.oxlintrc.json',
    '.oxfmtrc.json',
    '.jshintrc',
    '.jscsrc',
    '.xo-config*',
    'tslint.json',
    '{.,}cspell*.json',
    '.yamllint*',
    '.remarkrc*',
    '.swcrc',
    '.browserslistrc',
  ],
  action: 'keep',
  reason: 'the nearest one applies, or the one in the folder where the tool starts',
  apply: keepFormatters,
};

const LEGACY = ['.eslintrc', '.eslintrc.json', '.eslintrc.js', '.eslintrc.cjs', '.eslintrc.yml', '.eslintrc.yaml'];

/** Biome 2 stops at a second settings file below its own, unless that says that it is not a root. */
function keepFormatters(subject: RuleSubject): RuleOutcome {
  const edits = new Map<RepoPath, string>();
  const isAbove = nearestAbove(subject, ['biome.json', 'biome.jsonc']) !== undefined && usesBiome2(subject);
  const notes = subject.files.map((file): FileNote => {
    const note = kept(file, ...pathDecisions(subject, file));
    const text = subject.read(file) ?? '';
    const config = /^biome\.jsonc?$/.test(file) && isAbove ? readLooseJson(text) : undefined;
    if (!isPlainObject(config) || config['root'] === false) return note;
    edits.set(inPackage(subject, file), setJson(text, ['root'], false));
    return { ...note, done: { text: 'It now has "root": false: with two roots, Biome would stop in the whole monorepo.' } };
  });
  return { edits, notes };
}

function usesBiome2(subject: RuleSubject): boolean {
  return (majorOfRoot(subject, '@biomejs/biome') ?? 0) >= 2;
}

/** Whether the root has an ESLint that looks for its settings in the folder where it starts. */
function hasOlderEslint(subject: RuleSubject): boolean {
  return (majorOfRoot(subject, 'eslint') ?? 10) < 10;
}

/** Returns the lowest major version that the root's range for a dependency admits; `undefined` without such a range. */
function majorOfRoot(subject: RuleSubject, name: string): number | undefined {
  const manifest = fieldsIn(subject.monorepo.read(inProject(subject, 'package.json')));
  const range = ['dependencies', 'devDependencies'].flatMap((block) => mapIn(manifest, block)[name] ?? [])[0];
  return typeof range === 'string' && validRange(range) !== null ? minVersion(range)?.major : undefined;
}

function keepRules(subject: RuleSubject): RuleOutcome {
  const edits = new Map<RepoPath, string>();
  const notes = subject.files.map((file): FileNote => {
    const text = subject.read(file) ?? '';
    const paths = pathDecisions(subject, file);
    if (file.startsWith('eslint.config.')) return kept(file, hasOlderEslint(subject) ? FLAT : undefined, ...paths);
    if (!file.startsWith('.eslintrc') || !hasLegacyEslint(subject) || /\broot["']?\s*:\s*true\b/.test(text)) return kept(file, ...paths);
    const config = readLooseJson(text);
    if (!isPlainObject(config)) return kept(file, NO_ROOT, ...paths);
    edits.set(inPackage(subject, file), setJson(text, ['root'], true));
    return { ...kept(file, ...paths), done: { text: 'It now has "root": true, so that its rules stay the same.' } };
  });
  return { edits, notes };
}

const FLAT = {
  topic: 'behaviour' as const,
  text: 'The ESLint of the root reads it only when started in the package: make sure of that.',
};

const NO_ROOT = {
  topic: 'behaviour' as const,
  text: 'The rules of the root now apply to it: add "root: true" to it if they should not.',
};

/** Whether a folder above the imported package has ESLint settings in the older format, which apply to all folders below. */
export function hasLegacyEslint(subject: Pick<RuleSubject, 'monorepo' | 'importedPackage'>): boolean {
  if (nearestAbove(subject, LEGACY) !== undefined) return true;
  const file = nearestAbove(subject, ['package.json']);
  return file !== undefined && fieldsIn(subject.monorepo.read(file))['eslintConfig'] !== undefined;
}

import type { RepoPath } from '@tributary/model/paths';
import { isRecord } from '@tributary/model/record';
import { readLooseJson, setJson } from '../../edit/edit-json.js';
import { configDecision } from '../config-paths.js';
import { type CarryOverRule, inPackage, keepEach, type Note, type RuleOutcome, STAYS, type Subject, sentences } from '../rule.js';

export const eslint: CarryOverRule = {
  title: 'ESLint',
  matches: ['.eslintrc', '.eslintrc.*', 'eslint.config.*', 'eslint-suppressions.json'],
  action: 'keep',
  reason: 'the nearest one counts; "root": true keeps that of the root out of the package, where both are of the older form',
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
  reason: 'the nearest one counts, or that of the folder where the tool is started',
  apply: (subject) => keepEach(subject, (file) => configDecision(subject, file)),
};

const FLAT = 'It stays in the package; before version 10 ESLint takes it only if it is started there.';

const LEGACY = ['.eslintrc', '.eslintrc.json', '.eslintrc.js', '.eslintrc.cjs', '.eslintrc.yml', '.eslintrc.yaml'];

function keepRules(subject: Subject): RuleOutcome {
  const edits = new Map<RepoPath, string>();
  const notes = subject.files.map((file): Note => {
    const text = subject.read(file) ?? '';
    const paths = configDecision(subject, file);
    if (!reachedByRoot(subject, file) || /\broot["']?\s*:\s*true\b/.test(text))
      return { file, action: 'keep', done: file.startsWith('eslint.config.') ? FLAT : STAYS, decision: paths };
    const config = readLooseJson(text);
    if (!isRecord(config))
      return {
        file,
        action: 'keep',
        done: STAYS,
        decision: sentences('The rules of the root count for it now: write "root: true" into it if they should not.', paths),
      };
    edits.set(inPackage(subject, file), setJson(text, ['root'], true));
    return {
      file,
      action: 'keep',
      done: 'It stays in the package, with "root": true, so that the rules are those it had.',
      decision: paths,
    };
  });
  return { edits, notes };
}

function reachedByRoot({ monorepo }: Subject, file: string): boolean {
  if (!file.startsWith('.eslintrc')) return false;
  if (LEGACY.some((one) => monorepo.read(one as RepoPath) !== undefined)) return true;
  const manifest = readLooseJson(monorepo.read('package.json' as RepoPath) ?? '');
  return isRecord(manifest) && manifest['eslintConfig'] !== undefined;
}

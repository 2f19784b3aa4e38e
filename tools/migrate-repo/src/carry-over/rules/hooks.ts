import { redactUrls } from '@tributary/model/repo-url';
import { LINT_STAGED } from '../manifest/hooks.js';
import { type CarryOverRule, dropped, inProject, keepEach, type RuleOutcome, type RuleSubject, without } from '../rule.js';

export const gitHooks: CarryOverRule = {
  title: 'Hooks of git',
  matches: [
    '.husky/**',
    '.huskyrc*',
    'husky.config.*',
    '.githooks/**',
    '{.,}lefthook{-local,}.{yml,yaml,toml,json}',
    '.simple-git-hooks.*',
    'simple-git-hooks.*',
    '.pre-commit-config.yaml',
    'commitlint.config.*',
    '.commitlintrc*',
  ],
  action: 'drop',
  reason: 'git has one set of hooks for the whole repository; the report lists what they did',
  apply: dropHooks,
};

export const lintStaged: CarryOverRule = {
  title: 'lint-staged',
  matches: ['.lintstagedrc*', 'lint-staged.config.*'],
  action: 'keep',
  reason: 'lint-staged at the root uses the nearest settings for each staged file',
  apply: (subject) => {
    const isUsed = /"lint-staged"\s*:/.test(subject.monorepo.read(inProject(subject, 'package.json')) ?? '');
    return keepEach(subject, () => [isUsed ? undefined : LINT_STAGED]);
  },
};

function dropHooks(subject: RuleSubject): RuleOutcome {
  const hooks = subject.files.filter((file) => !/^\.husky\/(_\/|\.gitignore$)/.test(file));
  const notes = (hooks.length === 0 ? subject.files : hooks).map((file) => {
    const commands = commandsIn(subject.read(file) ?? '');
    const listed = {
      topic: 'workflows' as const,
      text: 'Add what you still want to the hooks of the root.',
      detail: commands.map((line) => `\`${line}\``).join(', '),
    };
    return dropped(file, HOOKS_GONE, commands.length === 0 ? undefined : listed);
  });
  return { edits: without(subject, subject.files), notes };
}

const HOOKS_GONE = 'It was removed: git has one set of hooks for the whole repository.';

const SHOWN = 12;

/** Returns the commands of a script or settings file, without comments and lines that only start the hook. */
function commandsIn(text: string): readonly string[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => redactUrls(line.trim().replaceAll('`', "'")))
    .filter((line) => line !== '' && !/^(#|\/\/|\. |\[ |set -|fi$|then$|[{}[\]();,]+$)|husky\.sh/.test(line));
  return lines.length <= SHOWN ? lines : [...lines.slice(0, SHOWN), '…'];
}

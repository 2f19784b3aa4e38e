import type { RepoPath } from '@tributary/model/paths';
import { type CarryOverRule, inPackage, keepEach, kept, type Note, type RuleOutcome, type Subject, someOf } from '../rule.js';
import { LEFT, rewriteAction } from '../workflow/rewrite-workflow.js';

export const githubActions: CarryOverRule = {
  title: 'Own GitHub actions',
  matches: ['.github/actions/**'],
  action: 'keep',
  reason: 'an action works in any folder; the imported workflows use the new path, and its steps run in the folder of the package',
  apply: moveActions,
};

function moveActions(subject: Subject): RuleOutcome {
  const edits = new Map<RepoPath, string>();
  const notes = subject.files.flatMap((file): readonly Note[] => {
    const text = /\/action\.ya?ml$/.test(file) ? subject.read(file) : undefined;
    const rewritten = text === undefined ? undefined : rewriteAction(text, subject);
    if (rewritten === undefined) return [];
    edits.set(inPackage(subject, file), rewritten.text);
    const left = rewritten.left.map(({ line, what }) => `line ${line}: ${what}`);
    return [
      {
        ...kept(file, left.length === 0 ? undefined : { ...LEFT, detail: someOf(left) }),
        done: { text: 'Its steps now run in the folder of the package, where its files are.' },
      },
    ];
  });
  return { edits, notes: notes.length === 0 ? [kept('.github/actions/')] : notes };
}

export const githubTemplates: CarryOverRule = {
  title: 'Templates and settings of GitHub and its apps',
  matches: [
    '.github/{ISSUE_TEMPLATE,PULL_REQUEST_TEMPLATE,DISCUSSION_TEMPLATE}/**',
    '{.github/,}{ISSUE_TEMPLATE,PULL_REQUEST_TEMPLATE}.{md,txt}',
    '.github/FUNDING.{yml,yaml}',
    '.github/{stale,labeler,labels,settings,config,lock,no-response,reaction,release-drafter,release,semantic,auto_assign,mergify,dco,support,move,weekly-digest}.{yml,yaml}',
    '.github/{copilot-instructions,ISSUE_LABELS}.md',
  ],
  action: 'drop',
  reason: 'they are read only at the root, where they would apply to all packages',
};

export const githubOthers: CarryOverRule = {
  title: 'Other files of .github',
  matches: ['.github/**', '.github'],
  action: 'keep',
  reason: 'a workflow may use them; its paths are now relative to the folder of the package',
  apply: (subject) => keepEach(subject, () => []),
};

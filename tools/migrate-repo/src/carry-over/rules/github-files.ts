import { type CarryOverRule, keepEach } from '../rule.js';

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
  reason: 'workflows and scripts may use them',
  apply: (subject) => keepEach(subject, () => []),
};

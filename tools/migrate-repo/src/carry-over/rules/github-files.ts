import { type CarryOverRule, keepEach } from '../rule.js';

export const githubActions: CarryOverRule = {
  title: 'Own GitHub actions',
  matches: ['.github/actions/**'],
  action: 'keep',
  reason: 'an action is found wherever its folder is; the workflows that came along name the new one',
};

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
  reason: 'they are read at the root only, where they would be for all packages',
};

export const githubOthers: CarryOverRule = {
  title: 'Other files of .github',
  matches: ['.github/**', '.github'],
  action: 'keep',
  reason: 'a workflow may use them; its paths are seen from the folder of the package now',
  apply: (subject) => keepEach(subject, () => undefined),
};

/** What an action does that tests cannot notice. */
type Effect =
  /** It uploads files, which a later job may download. */
  | 'uploads'
  /** It reports elsewhere. */
  | 'reports';

/** Actions of others by name, in lower case; each with its source below `https://github.com/`, which is the name itself. */
const ACTIONS: Readonly<Record<string, Effect>> = {
  // "Upload artifacts from your workflow", and its action that merges them: actions/upload-artifact, README.
  'actions/upload-artifact': 'uploads',
  'actions/upload-artifact/merge': 'uploads',
  // "Packaging and uploading artifact that can be deployed to GitHub Pages": actions/upload-pages-artifact, README.
  'actions/upload-pages-artifact': 'uploads',
  // Coverage: each README describes an upload of reports that exist.
  'codecov/codecov-action': 'reports',
  'codecov/test-results-action': 'reports',
  'coverallsapp/github-action': 'reports',
  'codacy/codacy-coverage-reporter-action': 'reports',
  'romeovs/lcov-reporter-action': 'reports',
  // Results of tests as checks: each README describes files that tests wrote before.
  'dorny/test-reporter': 'reports',
  'mikepenz/action-junit-report': 'reports',
  'enricomi/publish-unit-test-result-action': 'reports',
  // "Uploads a SARIF file to code scanning": github/codeql-action, upload-sarif/action.yml.
  'github/codeql-action/upload-sarif': 'reports',
  // Messages to Slack: "Send data into Slack", and their kind.
  'slackapi/slack-github-action': 'reports',
  'rtcamp/action-slack-notify': 'reports',
  '8398a7/action-slack': 'reports',
  'act10ns/slack': 'reports',
  'ravsamhq/notify-slack-action': 'reports',
  // Comments and labels of issues and pull requests.
  'peter-evans/create-or-update-comment': 'reports',
  'marocchino/sticky-pull-request-comment': 'reports',
  'thollander/actions-comment-pull-request': 'reports',
  'mshick/add-pr-comment': 'reports',
  'actions/labeler': 'reports',
  'actions/stale': 'reports',
  'dessant/lock-threads': 'reports',
};

/** Returns the effect of an action that a step uses, whatever its version; `undefined` if it may be any. */
export function effectOf(uses: string): Effect | undefined {
  const name = uses.trim().replace(/@.*$/s, '').toLowerCase();
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
}

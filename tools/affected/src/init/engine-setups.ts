/** The files for a monorepo's start on one CI engine. */
export interface EngineSetup {
  /** The name for `affected emit`: `github`. */
  readonly name: string;
  /** The usual name. */
  readonly title: string;
  /** Template below `ci/` -> path relative to the repository. */
  readonly files: Readonly<Record<string, string>>;
  /** A sentence on what to do in the engine after the first run. */
  readonly require: string;
  /** The name of its guide in `docs/guides`. */
  readonly guide: string;
  /** A sentence on what else to change in a file of the engine that exists already. */
  readonly byHand?: string;
  /** A folder that its jobs write into the checkout. git must ignore it, unless it is tracked. */
  readonly writes?: string;
}

const OTHERS = 'tests-on-circleci-azure-jenkins';

/** One setup per engine. A test compares the names with `ENGINES`, and the templates with the files in `ci/`. */
export const ENGINE_SETUPS: readonly EngineSetup[] = [
  {
    name: 'github',
    title: 'GitHub Actions',
    files: {
      'github/caller.yml': '.github/workflows/affected.yml',
      'github/reusable.yml': '.github/workflows/affected-run.yml',
      'github/plan/action.yml': '.github/actions/affected/plan/action.yml',
      'github/stage/action.yml': '.github/actions/affected/stage/action.yml',
      'github/shard/action.yml': '.github/actions/affected/shard/action.yml',
      'github/gate/action.yml': '.github/actions/affected/gate/action.yml',
    },
    require: 'In Settings, Rules, require the check "affected / gate".',
    guide: 'tests-on-github',
  },
  {
    name: 'gitlab',
    title: 'GitLab CI',
    files: {
      'gitlab/.gitlab-ci.yml': '.gitlab-ci.yml',
      'gitlab/.gitlab/affected-pipeline.yml': '.gitlab/affected-pipeline.yml',
      'gitlab/.gitlab/affected.yml': '.gitlab/affected.yml',
    },
    require: 'In Settings, Merge requests, turn on "Pipelines must succeed".',
    guide: 'tests-on-gitlab',
    byHand: 'If .gitlab-ci.yml has "stages", add plan and test to them.',
    writes: '.yarn/cache',
  },
  {
    name: 'buildkite',
    title: 'Buildkite',
    files: { 'buildkite/pipeline.yml': '.buildkite/pipeline.yml', 'buildkite/affected.sh': '.buildkite/affected.sh' },
    require: 'Require the check of the build, "buildkite/<pipeline>".',
    guide: 'tests-on-buildkite',
  },
  {
    name: 'circleci',
    title: 'CircleCI',
    files: { 'circleci/config.yml': '.circleci/config.yml' },
    require: 'Require the check "ci/circleci: gate".',
    guide: OTHERS,
  },
  {
    name: 'azure',
    title: 'Azure Pipelines',
    files: { 'azure/azure-pipelines.yml': 'azure-pipelines.yml' },
    require: 'In Azure Repos, add a branch policy for the pipeline; on GitHub, require the check of the job "gate".',
    guide: OTHERS,
  },
  {
    name: 'jenkins',
    title: 'Jenkins',
    files: { 'jenkins/Jenkinsfile': 'Jenkinsfile' },
    require: 'Require the build of the pull request.',
    guide: OTHERS,
  },
];

/**
 * Returns a template for a repository whose main branch has another name; `undefined` if the name has characters that would need quotes in
 * one of the templates.
 */
export function withMainBranch(template: string, branch: string): string | undefined {
  if (branch === 'main') return template;
  if (!/^[A-Za-z][\w/-]*$/.test(branch)) return undefined;
  return template.replace(/(\[|MAIN: |BRANCH: |refs\/heads\/|== ['"])main(?=[\]'" ]|$)/gm, (_, before: string) => before + branch);
}

const CI =
  /^(?:\.github|\.circleci|\.buildkite|\.gitlab|\.azure-pipelines|\.semaphore|\.woodpecker)\/|^(?:\.gitlab-ci\.ya?ml|\.travis\.ya?ml|\.?appveyor\.ya?ml|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml|\.drone\.ya?ml|\.?codecov\.ya?ml|Jenkinsfile|CODEOWNERS)$/;
const TEST =
  /(?:^|\/)(?:__tests__|__mocks__|__snapshots__|__fixtures__|tests?|e2e)\/|\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:jest|vitest|karma|playwright|cypress)\.(?:config|conf|setup)\.[^/]*$|(?:^|\/)\.(?:mocharc|nycrc)[^/]*$/;
/** Markdown deeper inside may be a template that is published. */
const DOCS =
  /^(?:docs?|documentation|examples?|website)\/|^[^/]*\.(?:md|mdx|markdown|rst)$|(?:^|\/)(?:readme|changelog|history|contributing|authors|licen[cs]e)(?:\.[^/]*)?$/i;

/** Whether a file is a test, a document, or a setting of CI, by its name from the folder of the package. In doubt it is not. */
export function isAside(path: string): boolean {
  return CI.test(path) || TEST.test(path) || DOCS.test(path);
}

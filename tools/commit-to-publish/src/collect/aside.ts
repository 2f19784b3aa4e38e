const CI =
  /^(?:\.github|\.circleci|\.buildkite|\.gitlab|\.azure-pipelines|\.semaphore|\.woodpecker)\/|^(?:\.gitlab-ci\.ya?ml|\.travis\.ya?ml|\.?appveyor\.ya?ml|azure-pipelines[^/]*\.ya?ml|bitbucket-pipelines\.ya?ml|\.drone\.ya?ml|\.?codecov\.ya?ml|Jenkinsfile|CODEOWNERS)$/;
const TEST =
  /(?:^|\/)(?:__tests__|__mocks__|__snapshots__|__fixtures__|tests?|e2e)\/|\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:jest|vitest|karma|playwright|cypress)\.(?:config|conf|setup)\.[^/]*$|(?:^|\/)\.(?:mocharc|nycrc)[^/]*$/;
/** Markdown in deeper folders may be a template that the package publishes. */
const DOCS =
  /^(?:docs?|documentation|examples?|website)\/|^[^/]*\.(?:md|mdx|markdown|rst)$|(?:^|\/)(?:readme|changelog|history|contributing|authors|licen[cs]e)(?:\.[^/]*)?$/i;

/** Tells by its path, relative to the package, whether a file is a test, a document or a CI setting. If in doubt, it is none of them. */
export function isAside(path: string): boolean {
  return CI.test(path) || TEST.test(path) || DOCS.test(path);
}

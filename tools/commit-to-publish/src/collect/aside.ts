import { ALL_CI_FILES } from '@tributary/workspaces/ci-files';
import picomatch from 'picomatch';

const isRun = picomatch([...ALL_CI_FILES], { dot: true });
/** Files of CI engines that affected does not know, and settings of services. */
const CI =
  /^(?:\.github|\.gitlab|\.azure-pipelines|\.semaphore|\.woodpecker)\/|^(?:\.gitlab-ci\.yaml|\.travis\.ya?ml|\.?appveyor\.ya?ml|bitbucket-pipelines\.ya?ml|\.drone\.ya?ml|\.?codecov\.ya?ml|CODEOWNERS)$/;
const TEST =
  /(?:^|\/)(?:__tests__|__mocks__|__snapshots__|__fixtures__|tests?|e2e)\/|\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:jest|vitest|karma|playwright|cypress)\.(?:config|conf|setup)\.[^/]*$|(?:^|\/)\.(?:mocharc|nycrc)[^/]*$/;
/** Markdown in deeper folders may be a template that the package publishes. */
const DOCS =
  /^(?:docs?|documentation|examples?|website)\/|^[^/]*\.(?:md|mdx|markdown|rst)$|(?:^|\/)(?:readme|changelog|history|contributing|authors|licen[cs]e)(?:\.[^/]*)?$/i;

/** Tells by its path, relative to the package, whether a file is a test, a document or a CI setting. If in doubt, it is none of them. */
export function isAside(path: string): boolean {
  return isRun(path) || CI.test(path) || TEST.test(path) || DOCS.test(path);
}

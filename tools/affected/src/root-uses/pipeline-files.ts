import { ALL_CI_FILES } from '@tributary/workspaces/ci-files';
import picomatch from 'picomatch';

const isRun = picomatch([...ALL_CI_FILES], { dot: true });
/** The folders with the other settings of GitHub and GitLab. */
const SETTINGS = /^\.git(?:hub|lab)\//;

/** Tells whether a file defines a pipeline, which only starts scripts. */
export function isPipeline(file: string): boolean {
  // The second expression is for pipelines that others include, and for those of further projects.
  return isRun(file) || SETTINGS.test(file) || /^\.gitlab-ci[^/]*\.ya?ml$|^Jenkinsfile/.test(file);
}

/**
 * Tells whether a built-in rule selects everything for the file only as a precaution, and not because workspaces are built and tested with
 * it.
 */
export function mayBeNarrowed(file: string): boolean {
  return (file.includes('/') && isRun(file)) || SETTINGS.test(file) || /^\.git(ignore|attributes)$/.test(file);
}

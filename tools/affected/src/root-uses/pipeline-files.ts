/** The folders of CI engines. */
const FOLDERS = /^\.(?:github|circleci|buildkite|gitlab)\//;

/** Tells whether a file defines a pipeline, which only starts scripts. */
export function isPipeline(file: string): boolean {
  return FOLDERS.test(file) || /^(\.gitlab-ci|azure-pipelines)[^/]*\.ya?ml$|^Jenkinsfile/.test(file);
}

/**
 * Tells whether a built-in rule selects everything for the file only as a precaution, and not because workspaces are built and tested with
 * it.
 */
export function mayBeNarrowed(file: string): boolean {
  return FOLDERS.test(file) || /^\.git(ignore|attributes)$/.test(file);
}

/**
 * The files that CI engines run, and those that they include: globs relative to the repository, by the names of engines in `affected`. The
 * only list of engines besides `ENGINES` of `affected`, in the same order. It imports nothing, because each start of `affected` loads it.
 */
export const CI_FILES: Readonly<Record<string, readonly string[]>> = {
  github: ['.github/workflows/*.{yml,yaml}', '.github/actions/**'],
  gitlab: ['.gitlab-ci.yml', '.gitlab/**/*.{yml,yaml}'],
  buildkite: ['.buildkite/**'],
  circleci: ['.circleci/**'],
  azure: ['azure-pipelines*.{yml,yaml}'],
  jenkins: ['Jenkinsfile'],
};

/** Those of all engines. */
export const ALL_CI_FILES: readonly string[] = Object.values(CI_FILES).flat();

import type { Removed } from '@tributary/terminal/removed';

const SHARED_CACHE =
  'Shards get each other\'s builds from a shared cache of turborepo: see "Share builds" in docs/guides/distribute-the-tests.md.';

/** The commands and options that earlier versions had. CHANGELOG.md lists them too. */
export const REMOVED: Removed = {
  commands: {
    'run-stage': `Delete the jobs of the build stage from the pipeline. ${SHARED_CACHE}`,
    completion: 'Remove its line from the settings of your shell.',
    graph: 'Run yarn workspaces list --verbose --json, or affected why <workspace> for the edges that lead to one.',
    shadow:
      'Nothing spares a workspace by observations any more, so no ledger is needed. Decision 0049 of Tributary says how missed failures are measured.',
    audit: 'It is a bench of this project now: npm run bench:audit -- <checkout> --mutants 50 --seed 1.',
  },
  options: {
    '--trace': 'Run affected trace -- <command> in the folder of a workspace, then affected check --observed <file> --fix.',
    '--observations':
      'What tests read goes into affected.edges of tributary.json: affected trace -- <command>, then affected check --observed <file> --fix.',
    '--ledger': 'Leave it out: nothing spares a workspace by observations any more.',
    '--turbo': 'Give affected timings collect the --receipts of affected run-shard; they have the times of test files too.',
    '--build-stage': SHARED_CACHE,
    '--stage': `Leave it out of \`affected run-shard\`: a plan has no build stage. ${SHARED_CACHE}`,
  },
};

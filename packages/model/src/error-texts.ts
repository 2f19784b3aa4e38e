import type { ErrorCode } from './errors.js';

/** What a code means, in sentences without the details that the message of a failure has. */
export interface ErrorText {
  /** What happened. Nothing was changed, unless it says otherwise. */
  readonly happened: string;
  /** What to do. */
  readonly remedy: string;
}

/** Only docs/errors.md is made of these texts, so no tool contains them. */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, ErrorText>> = {
  USAGE: {
    happened: 'The command line is invalid, or its parts contradict each other.',
    remedy: 'Correct it; `--help` after the same command shows what it accepts.',
  },
  INTERRUPTED: {
    happened:
      'You pressed Ctrl-C, the process received SIGTERM or SIGHUP, or you left a question with Escape. The command removed what it had begun. While `--tests` compares tests, the migration is complete.',
    remedy: 'Run it again. A second Ctrl-C stops at once; the next run removes what remains.',
  },
  PROGRAM_MISSING: {
    happened: 'A program other than git could not be started, such as turbo or npm.',
    remedy: 'Install it, or add its folder to `PATH`. For `run-shard`, install the dependencies first.',
  },
  PROGRAM_FAILED: {
    happened: 'A program other than git ended with an error. The message quotes it.',
    remedy: 'Run `data.command` by hand to see more.',
  },
  PROGRAM_TIMEOUT: {
    happened: 'A program did not end within its time limit, and was stopped.',
    remedy: 'Try again. If a registry does not answer, name the repository with `--from`.',
  },
  GIT_MISSING: { happened: '`PATH` contains no git.', remedy: 'Install git 2.38 or newer.' },
  GIT_TOO_OLD: { happened: 'The git of this machine is older than 2.38.', remedy: 'Install a newer one.' },
  GIT_FAILED: {
    happened: "git ended with an error that has no code of its own here. The message has git's words.",
    remedy: 'Run `git fsck` in the monorepo and in the source. If both are sound, report it with the output of `--verbose`.',
  },
  DISK_FULL: {
    happened: 'The disk or the quota is full. What had been written was removed.',
    remedy: "Free some space. A migration needs room for the source's whole history, a report for its events in `TMPDIR`.",
  },
  MEMORY_FULL: {
    happened: 'A question needs more memory than the 1 GB that `commit-to-publish` gives its database.',
    remedy: 'Run `commit-to-publish compact`. If the record is compacted, ask for fewer weeks.',
  },
  CONFIG_INVALID: {
    happened: '`tributary.json`, or a setting of turbo.json or .yarnrc.yml that a tool needs, is invalid. The message names the place.',
    remedy: 'Correct it. An editor that reads `$schema` of tributary.json shows what is allowed.',
  },
  MANIFEST_INVALID: {
    happened: 'A package.json is not a JSON object in UTF-8, or has an invalid name, `workspaces` or dependency.',
    remedy: 'Correct it and commit: the tools read the commit, not the working tree.',
  },
  LOCKFILE_INVALID: {
    happened: 'A lockfile cannot be read: it was cut off or edited, is binary, or has conflict markers.',
    remedy: 'Let its package manager write it again, and commit it.',
  },
  LOCKFILE_MISMATCH: {
    happened: 'A lockfile was written for another state of its package.json. `data.missing` lists the requests that it lacks.',
    remedy: 'Run the install of its package manager, in the source or in the monorepo as the message says, and commit.',
  },
  LOCKFILE_UNSUPPORTED: {
    happened: 'A lockfile of the source has a version of its format that the tool does not know.',
    remedy: 'Write it with a release that writes a known version (`data.known`), or import the package without it.',
  },
  WORKSPACE_DUPLICATE_NAME: {
    happened: 'Two workspaces of the monorepo have the same name, which Yarn rejects too.',
    remedy: 'Rename one of them, or exclude one from `workspaces`, and commit.',
  },
  WORKSPACE_UNKNOWN: {
    happened: 'No workspace of the head has this name or folder.',
    remedy: 'Give the name in its package.json, or its folder from the project root. The hint lists similar ones.',
  },
  WORKSPACE_UNRUNNABLE: {
    happened:
      'A workspace has the task, but turborepo cannot run it: the root does not list its folder, or its name is missing or unusable.',
    remedy: "Add the folder to the root's `workspaces`, or rename the workspace, and commit.",
  },
  NAME_UNPRINTABLE: {
    happened: 'The name or folder of a workspace would be read as several entries, as an option or as a command in this list.',
    remedy: 'Rename it. `--json` carries every name; so does `-z` with `--format names` or `paths`, for `xargs -0`.',
  },
  URL_REFUSED: {
    happened: 'The address of a source could make git run a program or be read as an option, or its scheme is unknown.',
    remedy: 'Give an `https:`, `http:`, `ssh:` or `file:` address, `user@host:path`, or a path.',
  },
  TARGET_NOT_FOUND: {
    happened: 'The folder does not exist, or is in no git repository.',
    remedy: 'Run the command inside the monorepo, or name it with `--into`, `--cwd` or `--repo`.',
  },
  TARGET_NOT_TRUSTED: {
    happened: 'Another user owns the repository, so its settings could run programs.',
    remedy: 'If you trust it, run `git config --global --add safe.directory <folder>`. Otherwise run the command as its owner.',
  },
  TARGET_NOT_A_MONOREPO: {
    happened: 'The last commit has no package.json with `workspaces`, here or above.',
    remedy: 'Add `"workspaces": ["packages/*"]` to the root package.json and commit, or name another repository.',
  },
  TARGET_UNBORN: {
    happened: 'The repository has no commit yet.',
    remedy: 'Commit a root package.json with `workspaces` first.',
  },
  TARGET_LOCKED: {
    happened: 'Another `migrate-repo` is working on the same repository. The message names its process and machine.',
    remedy: 'Wait for it. Remove by hand a lock that an ended process left on another machine; the hint names the file.',
  },
  TARGET_SHALLOW: {
    happened: 'The clone is shallow, and the command needs the whole history.',
    remedy: 'Run `git fetch --unshallow --tags`, or set `fetch-depth: 0` in a GitHub workflow.',
  },
  TARGET_NOT_WRITABLE: {
    happened: "The monorepo's git directory cannot be written to, or the repository is bare.",
    remedy: 'Change its owner or permissions. `verify` without `--refetch` only reads.',
  },
  TARGET_PATH_TAKEN: {
    happened: 'The path of the package is taken, in the monorepo or by another package of the run. The package was left out.',
    remedy: 'Choose another folder with `--to`, or with `path` in tributary.json. Case makes no difference.',
  },
  TARGET_NAME_TAKEN: {
    happened: 'A workspace already has the name of the package. The package was left out.',
    remedy: 'Rename one of the two, or remove the workspace that the package replaces, and commit.',
  },
  TARGET_BRANCH_TAKEN: {
    happened: 'The branch exists, or another one keeps git from creating it (`migrate` blocks `migrate/ui`).',
    remedy: 'Merge it, undo it with `migrate-repo discard`, or choose another name with `--branch`.',
  },
  TARGET_IDENTITY_MISSING: {
    happened: 'git has no identity for the author of the merge commit.',
    remedy: 'Set `user.name` and `user.email`, or the `GIT_AUTHOR_…` and `GIT_COMMITTER_…` variables.',
  },
  SIGNING_FAILED: {
    happened: "`commit.gpgSign` is set, and git could not sign a commit. The message has git's words.",
    remedy: 'Make `git commit -S` work in the monorepo, or run `git config commit.gpgSign false`.',
  },
  PACKAGE_MANAGER_UNSUPPORTED: {
    happened: 'The monorepo uses another package manager. `migrate-repo` needs Yarn 2 or later; `affected` reads Yarn and npm.',
    remedy: 'Convert the monorepo (`yarn set version stable`, `yarn install`), delete the other lockfile, and commit.',
  },
  TAG_COLLISION: {
    happened:
      'Two tags would get the same name, or a name that git cannot store beside another. `data.clashes` lists them. The package was left out.',
    remedy: 'Keep the names with `--tags "{name}@{tag}"`, or import no tags with `--no-tags`.',
  },
  SOURCE_UNKNOWN: {
    happened: 'Neither `--from`, tributary.json nor the npm registry names a repository for the package.',
    remedy: 'Name it with `--from`. If you meant a command, check its spelling.',
  },
  SOURCE_NOT_CONFIRMED: {
    happened: 'The npm registry names a repository that you have not confirmed, or `init` was not allowed to write. Nothing was fetched.',
    remedy: 'Repeat the command with `--yes` if the address is correct, or name the repository with `--from`.',
  },
  SOURCE_UNREACHABLE: {
    happened: 'git could not read the source. The message quotes git. The package was left out.',
    remedy: 'Check with `git ls-remote <address>`. The tools never ask for a password.',
  },
  SOURCE_IS_TARGET: {
    happened: 'The source is the monorepo itself. The package was left out.',
    remedy: 'Name the repository to import.',
  },
  SOURCE_EMPTY: {
    happened: 'The source has no commit. The package was left out.',
    remedy: 'Check the address: an empty repository may have the right name.',
  },
  SOURCE_BRANCH_MISSING: {
    happened: 'The source lacks the requested branch, or the one that its HEAD names. The package was left out.',
    remedy: 'Choose one of its branches with `--source-branch`, or with `branch` in tributary.json.',
  },
  SOURCE_SHALLOW: {
    happened: 'The source is a shallow clone. The package was left out.',
    remedy: 'Run `git fetch --unshallow` there, or migrate from the address from which it was cloned.',
  },
  SOURCE_PARTIAL: {
    happened: 'The source lacks objects: it is a partial clone, or damaged. The package was left out.',
    remedy: 'Migrate from a complete clone. `git fsck` tells whether it is damaged.',
  },
  SOURCE_FORMAT_MISMATCH: {
    happened: 'One of source and monorepo uses SHA-1 object ids, the other SHA-256. The package was left out.',
    remedy: 'Convert one with `git fast-export` and `git fast-import`; this changes its commit ids.',
  },
  SOURCE_NO_MANIFEST: {
    happened: 'The last commit of the source has no package.json at its root or in the folder to import. The package was left out.',
    remedy: 'Name the folder with `--subdirectory`; the hint lists those that have one.',
  },
  SOURCE_NAME_MISMATCH: {
    happened: 'The package.json in the source has another name than the command. The package was left out.',
    remedy: 'Use the name in the source, or correct the address.',
  },
  SOURCE_SUBDIRECTORY_MISSING: {
    happened: 'The last commit of the source lacks the requested folder. The package was left out.',
    remedy: 'Check `--subdirectory`, relative to the root of the source. A `sync` says which commit moved or removed it.',
  },
  SOURCE_HAS_WORKSPACES: {
    happened: 'The package is itself a monorepo, and its packages are not all private. The message names them. It was left out.',
    remedy: 'Import each with `--subdirectory <path>`, or the whole unchanged with `--no-align`.',
  },
  SOURCE_LFS_MISSING: {
    happened: 'Files of the source are in Git LFS, and the monorepo lacks their content. The package was left out.',
    remedy: "Copy the source's `.git/lfs/objects` into the monorepo, or import the pointers with `--lfs-pointers`.",
  },
  SOURCE_UNSAFE_PATH: {
    happened: 'The last commit of the source has a file name that git refuses to check out, such as `.GIT` or `..`.',
    remedy: 'Remove the file in the source, and do not check it out: no honest tool creates such a tree.',
  },
  SOURCE_FAULTY_OBJECTS: {
    happened:
      'Objects of the source are malformed according to `git fsck --strict`, and servers may reject them. `data.faults` has the kinds.',
    remedy: 'If your server accepts them, use `--allow-objects <kinds>`. Otherwise correct the history of the source.',
  },
  SOURCE_REWRITTEN: {
    happened: 'The branch of the source no longer contains the last imported commit. `data.vanished` lists the lost ones.',
    remedy: 'Merge the lost commits back in the source, or name the branch that has them with `--source-branch`.',
  },
  DEPENDENCY_LEFT_OUT: {
    happened: 'The package depends on one of the same run that was left out, so it was left out too.',
    remedy: 'Solve the reason of the other one, or migrate this one in a separate run.',
  },
  DEPENDENCY_UNRESOLVABLE: {
    happened: 'A workspace requires something that no registry can resolve. `data.unresolvable` has all of them. The package was left out.',
    remedy: 'Correct the range in the source or in the monorepo, or import the package with `--no-install`.',
  },
  PACKAGES_LEFT_OUT: {
    happened: 'No package of the run could be migrated. `data.leftOut` has each with its code.',
    remedy: 'Solve these first.',
  },
  ALREADY_MIGRATED: {
    happened: 'An earlier run imported the package. Of several packages it is left out, and that alone is no failure.',
    remedy: 'Merge its branch, or check it out, and run the same command again.',
  },
  PROOF_FAILED: {
    happened: 'What was written, or what stands in the repository, is not what came from the source. `data.why` says what differs.',
    remedy: 'After `verify`, compare with the source: `--refetch`. During a migration it is a bug or a fault of the disk: report it.',
  },
  PROOF_MISSING: {
    happened:
      'The ref does not contain the import. `data.state` says what happened to it: squashed, rebased, rewritten, copied, replaced, removed, or waiting on another branch.',
    remedy:
      'If a branch has the history (`data.branch`), remove the folder in a commit of its own, and merge that branch with `git merge --no-ff`. Otherwise remove the folder and run the migration again. Undo a merge that lost the files (`data.by`).',
  },
  YARN_DISAGREES: {
    happened: "Yarn's own code does not see the package as a workspace, or refuses the new branch.",
    remedy: 'Look at `workspaces` in the root package.json: a pattern with `!` may exclude the folder.',
  },
  YARN_MISSING: {
    happened: "The monorepo's own Yarn could not be started, and another release would rewrite its lockfile.",
    remedy: 'Commit the release: `yarn set version <version> --yarn-path`.',
  },
  INSTALL_FAILED: {
    happened:
      "Yarn could not install the monorepo with the package, in a temporary folder. `data.messages` has Yarn's last words. The package was left out.",
    remedy:
      'Correct the requirement that the message names, or import the package with `--no-install`. Installs get registry tokens, and no other credentials.',
  },
  INSTALL_MOVES_VERSIONS: {
    happened: 'With the package, the monorepo would get another version of something that it has locked. `data.moved` lists them.',
    remedy: 'Update the lockfile of the monorepo first (`yarn install`), and commit it.',
  },
  INSTALL_GIT_UNREADABLE: {
    happened: 'A workspace requires a package from a git repository that the installation cannot read, because it gets no git credentials.',
    remedy: 'Import the package with `--no-install`, and run `yarn install` yourself on the new branch.',
  },
  INSTALL_RUNS_CODE: {
    happened:
      'Installing would run code of the packages: a git dependency is packed by its scripts, and `exec:` starts a program. `data.runs` lists them.',
    remedy: 'Read that code, then agree with `--run-scripts`. Or import with `--no-install`, and install yourself.',
  },
  REGISTRY_UNREACHABLE: {
    happened: 'The registry did not answer, or its answer is invalid.',
    remedy: 'Check the network, the proxy, and `npmRegistryServer` in .yarnrc.yml. Yarn reads no .npmrc.',
  },
  REGISTRY_REFUSED: {
    happened: 'The registry requires a credential, or rejects the one that it got. The package was left out.',
    remedy: 'Log in with `yarn npm login`, or set `YARN_NPM_AUTH_TOKEN`. `collect` sends no credential: omit `--registry`.',
  },
  REFS_NOT_MOVED: {
    happened: 'git refused to create or delete the branch and the tags, which it does in one step. No ref was changed.',
    remedy: "Run the same command again. If a lock remains, git's message names the file.",
  },
  REVISION_MISSING: {
    happened: 'This clone lacks the named branch, tag or commit, and could not fetch it.',
    remedy: 'Check the spelling and fetch it: `git fetch origin main`. In CI, check out with more history.',
  },
  FILE_LIST_UNREADABLE: {
    happened: 'The file of `--files-from` cannot be read, or git has quoted a name in it.',
    remedy: 'Create it with `git diff --name-only -z --no-renames`, whose names are never quoted.',
  },
  FILE_UNUSABLE: {
    happened:
      'A file or folder that an option or `GITHUB_STEP_SUMMARY` names cannot be read or written. A link that leaves its folder, a disk and a socket are refused.',
    remedy: 'Name another one, or give the target of the link itself. A named pipe needs a reader within 5 seconds.',
  },
  TASK_UNKNOWN: {
    happened: 'No turbo.json has the task of `--task`.',
    remedy: 'Name one that the hint lists, or declare the task in turbo.json.',
  },
  TIMINGS_INVALID: {
    happened: 'The timings file is invalid. The message names the task.',
    remedy: "Delete the file, or the task's line. Without a time, a workspace is planned by its test files.",
  },
  PLAN_INVALID: {
    happened: 'The file of `--plan` is no valid plan: another version, edited, cut off, or with more shards than the engine supports.',
    remedy: 'Make a new one with `affected plan --out`, and run the same version of `affected` in all jobs.',
  },
  PLAN_STALE: {
    happened: 'The plan was made for another commit than the checked-out one, or for workspaces that are not there.',
    remedy: 'Check out the same commit in all jobs, or run the plan job again.',
  },
  TURBO_FAILED: {
    happened: 'turborepo ended without its run summary, or failed although the planned tests passed. There is no receipt.',
    remedy: 'Install the dependencies first, and try `turbo run <task> --summarize` in the same place.',
  },
  OBSERVATION_INVALID: {
    happened: 'A file is no observation of `affected trace`, or of another version.',
    remedy: 'Make it again with the same version of `affected`.',
  },
  GATE_NOT_PROVEN: {
    happened: 'The receipts do not prove that every planned test ran and passed. stdout has a sentence for each problem.',
    remedy: 'See the hint for each kind of problem on stderr. Receipts of an earlier run in the same folder must be deleted.',
  },
  IMPORT_NOT_FOUND: {
    happened: 'No commit of HEAD or of the branches records an import of that package.',
    remedy: "Fetch the branch of somebody else's import. The hint lists the known imports.",
  },
  IMPORT_MERGED: {
    happened: 'The migration is merged, so it cannot be undone without a trace.',
    remedy: 'Revert its merge: `git revert -m 1 <merge commit>`; `data.merge` has it.',
  },
  IMPORT_IN_USE: {
    happened: 'The branch of the migration is checked out, contained in others, or has commits of yours (`data.added`).',
    remedy: 'Switch to another branch and move your commits first, or delete the branch with `git branch -D`.',
  },
  IMPORT_MOVED: {
    happened: 'The package was moved to another folder after its import, so `sync` cannot tell where changes belong.',
    remedy: 'Move the folder back, sync, and move it again.',
  },
  IMPORT_NOT_PUSHED: {
    happened: "The branch on the monorepo's remote lacks the last import or sync of the package.",
    remedy: 'Merge it with a merge commit and push it, or name another branch with `--base`.',
  },
  IMPORT_NOT_REWRITTEN: {
    happened: "The package was imported with `--strategy merge`, so its commits are not under the package's folder.",
    remedy: 'Merge the pull requests in the source, then import them with `migrate-repo sync`.',
  },
  SYNC_NOT_OPEN: {
    happened: 'The branch has no sync with conflicts.',
    remedy: 'Name it with `--branch` if it is not `sync/<package>`. Remove a committed merge with `git branch -D`.',
  },
  SYNC_UNFINISHED: {
    happened: 'A sync with conflicts waits for you, in the working tree `data.worktree`.',
    remedy: 'Resolve, `git add` and `git commit` there, then `migrate-repo sync <package> --continue`; or give up with `--abort`.',
  },
  PULL_REQUEST_UNREADABLE: {
    happened: "The source's server has no `refs/pull/<number>/head`. The other pull requests were brought.",
    remedy: 'Name the repository on GitHub with `--from`.',
  },
  PULL_REQUEST_BASE_UNKNOWN: {
    happened: 'A pull request has no base in the monorepo. The message says why. The others were brought.',
    remedy: 'Import its base with `migrate-repo sync <package> --source-branch <branch>`, and push that.',
  },
  PULL_REQUEST_NOT_IMPORTED: {
    happened: 'A pull request contains commits of its base branch that the monorepo lacks. The others were brought.',
    remedy: 'Run `migrate-repo sync <package>`, merge and push that, then run the command again.',
  },
  PULL_REQUEST_CHANGED: {
    happened: 'After the move, a commit has another patch, author or date than in the source. It was not pushed.',
    remedy: 'Report it: this is a bug or a fault of the disk.',
  },
  PULL_REQUEST_BRANCH_MOVED: {
    happened: 'The branch of a pull request has an unknown commit on the remote. It was not changed.',
    remedy: 'Check the branch. If nothing on it is needed, delete it, and run the command again.',
  },
  MERGE_COMMITS_REFUSED: {
    happened: "The monorepo's repository on GitHub allows no merge commits on this branch, and a squash would destroy the history.",
    remedy: 'Change the setting or the rule, at least until the merge. Or merge with `git merge --no-ff` and push that.',
  },
  REMOTE_UNREACHABLE: {
    happened: "The monorepo's remote could not be read. Nothing was pushed or opened.",
    remedy: 'Check it with `git ls-remote <remote>`.',
  },
  PUSH_REFUSED: {
    happened: "The monorepo's remote rejected a branch. The message quotes the server.",
    remedy: 'Change the rule or the permission, then run the command again.',
  },
  GITHUB_UNREACHABLE: {
    happened: 'The GitHub API did not answer, or answered with an error of its own, several times.',
    remedy: 'Check `GITHUB_API_URL` and the network, or try later. `TRIBUTARY_API_TIMEOUT` sets the seconds for `migrate-repo`.',
  },
  GITHUB_REFUSED: {
    happened: 'The GitHub API said no; `data.status` is its answer. 404 may mean a missing permission, 403 and 429 a used-up limit.',
    remedy: 'Give the token the permission that the hint names, or wait.',
  },
  RECORD_MISSING: {
    happened: 'The folder has no events.',
    remedy: 'Check the path, or record some with `commit-to-publish collect` or `ingest`.',
  },
  RECORD_INVALID: {
    happened: 'A file of the record is damaged, missing, or of a newer version; `data.file` names it. No figure is given.',
    remedy: 'Restore it from a backup, or use the newer version. `collect --full` writes the files in `collected/` anew.',
  },
  RECORD_LOCKED: {
    happened: 'Another process is compacting this record. Recording and reading go on meanwhile.',
    remedy: 'Wait. If it ran on another machine and was killed, remove the file that the hint names.',
  },
  REPOSITORY_MISMATCH: {
    happened: 'The clone begins with another commit than the one collected under the same name. Nothing was recorded.',
    remedy: 'Give it another name with `--name`. If its history was rewritten, use `collect --full`.',
  },
  CHANGE_UNKNOWN: {
    happened: 'The record has no change of that name, or several.',
    remedy: 'Use the number of its pull request (`#12`) or its commit; `--repo` selects the repository.',
  },
  NOT_RECORDED: {
    happened: 'The record has no repository or package of that name, or no data from before its migration.',
    remedy: 'Use a name that the hint lists, or collect first what it says.',
  },
};

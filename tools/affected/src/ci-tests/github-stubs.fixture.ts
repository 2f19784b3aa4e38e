import type { TempFolder } from '@tributary/test-repo/temp-folder';

interface Stub {
  readonly inputs: readonly string[];
  readonly script: string;
}

/**
 * Stand-ins for the actions of GitHub's marketplace, which need GitHub's own servers. They keep artifacts (separate for each run) and
 * caches in folders. They fail where the real ones fail: an existing artifact, a missing one, no file where one is required.
 * `actions/checkout` has none, because act does it itself.
 */
const STUBS: Readonly<Record<string, Stub>> = {
  'setup-node/action.yml': { inputs: [], script: 'node --version' },
  'upload-artifact/action.yml': {
    inputs: ['name', 'path', 'if-no-files-found', 'overwrite'],
    script: `to="$ARTIFACTS/$NAME"
      if [ ! -e "$PATH_" ]; then
        echo "No files were found with the provided path: $PATH_"
        if [ "$IF_NO_FILES_FOUND" = error ]; then exit 1; else exit 0; fi
      fi
      if [ -e "$to" ]; then
        [ "$OVERWRITE" = true ] || { echo "an artifact with this name already exists"; exit 1; }
        rm -rf "$to"
      fi
      mkdir -p "$to"
      if [ -d "$PATH_" ]; then cp -R "$PATH_/." "$to"; else cp "$PATH_" "$to"; fi`,
  },
  'download-artifact/action.yml': {
    inputs: ['name', 'pattern', 'path'],
    script: `if [ -n "$NAME" ]; then
        [ -d "$ARTIFACTS/$NAME" ] || { echo "Artifact '$NAME' not found"; exit 1; }
        mkdir -p "$PATH_"
        cp -R "$ARTIFACTS/$NAME/." "$PATH_"
        exit 0
      fi
      # One alone gets no folder of its own; that is how the real one does it.
      found=$(cd "$ARTIFACTS" && ls -d $PATTERN 2> /dev/null || true)
      for artifact in $found; do
        to="$PATH_/$artifact"
        [ "$artifact" != "$found" ] || to="$PATH_"
        mkdir -p "$to"
        cp -R "$ARTIFACTS/$artifact/." "$to"
      done`,
  },
  // It only says what it is asked for: a composite action cannot keep anything when the job ends.
  'cache/action.yml': { inputs: ['path', 'key', 'restore-keys'], script: 'echo "cache of" $PATH_ "by $KEY"' },
  'cache/restore/action.yml': {
    inputs: ['path', 'key', 'restore-keys'],
    script: `case "$KEY$RESTORE_KEYS" in *,*) echo "a key cannot contain commas"; exit 1 ;; esac
      for name in "$KEY" $(ls -t "$STORE/cache" | grep "^$RESTORE_KEYS"); do
        [ -e "$STORE/cache/$name" ] || continue
        mkdir -p "$(dirname "$PATH_")"
        cp "$STORE/cache/$name" "$PATH_"
        exit 0
      done`,
  },
  'cache/save/action.yml': {
    inputs: ['path', 'key'],
    script: `case "$KEY" in *,*) echo "a key cannot contain commas"; exit 1 ;; esac
      [ ! -e "$STORE/cache/$KEY" ] || { echo "a cache with this key already exists"; exit 0; }
      cp "$PATH_" "$STORE/cache/$KEY"`,
  },
};

/** Writes the stand-ins. Returns the options with which act uses them for each action that `text` names. */
export function writeStubs(folder: TempFolder, text: string): readonly string[] {
  folder.write('store/cache/.keep', '');
  for (const [path, { inputs, script }] of Object.entries(STUBS))
    folder.write(`stubs/${path}`, actionOf(path, { inputs, script, store: folder.join('store') }));
  const used = new Set(
    [...text.matchAll(/uses: (actions\/[\w-]+)(?:\/\w+)?@([0-9a-f]{40})/g)].map(([, name, commit]) => `${name}@${commit}`),
  );
  return [...used]
    .filter((action) => !action.startsWith('actions/checkout@'))
    .flatMap((action) => ['--local-repository', `${action}=${folderOf(folder, action)}`]);
}

function folderOf(folder: TempFolder, action: string): string {
  return folder.join('stubs', ...(/^actions\/([\w-]+)@/.exec(action)?.slice(1) ?? []));
}

/** Returns a composite action. Each input is a variable in capitals, with PATH_ for PATH. */
function actionOf(path: string, { inputs, script, store }: Stub & { readonly store: string }): string {
  const variables = [['STORE', store], ...inputs.map((name) => [variableOf(name), `\${{ inputs.${name} }}`])];
  return JSON.stringify({
    name: path,
    description: 'stands in for the real one',
    inputs: Object.fromEntries(inputs.map((name) => [name, { description: name, default: '' }])),
    runs: {
      using: 'composite',
      steps: [{ shell: 'bash', env: Object.fromEntries(variables), run: `set -u\nARTIFACTS="$STORE/artifacts/$GITHUB_RUN_ID"\n${script}` }],
    },
  });
}

function variableOf(input: string): string {
  return input === 'path' ? 'PATH_' : input.replaceAll('-', '_').toUpperCase();
}

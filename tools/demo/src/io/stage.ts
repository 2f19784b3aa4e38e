import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { findProjectRoot, yarnRelease } from '@tributary/test-repo/project-root';
import { quoteWord } from '../narration.js';
import { MONOREPO } from '../organisation.js';

/** Disables telemetry, and the warning that turbo is not installed in the monorepo. */
const TURBO_SETTINGS = ['TURBO_TELEMETRY_DISABLED=1', 'TURBO_NO_UPDATE_NOTIFIER=1', 'TURBO_GLOBAL_WARNING_DISABLED=1'] as const;

/** The folders of the demo. */
export interface DemoFolders {
  /** This project. */
  readonly root: AbsolutePath;
  /** The final files of each repository. */
  readonly templates: AbsolutePath;
  /** A new folder, which is never removed. */
  readonly folder: AbsolutePath;
  readonly sources: AbsolutePath;
  readonly monorepo: AbsolutePath;
  /** A second clone of the monorepo, for steps that would change the user's own. */
  readonly clone: AbsolutePath;
  /** A third clone, in which the migration was merged long ago. */
  readonly later: AbsolutePath;
  /** The tools, as they are shipped. */
  readonly migrateRepo: AbsolutePath;
  readonly affected: AbsolutePath;
  readonly commitToPublish: AbsolutePath;
  /** The programs that `affected run-shard` starts: this project's turbo and yarn. */
  readonly programs: AbsolutePath;
}

/** Creates the folder. Throws `PROGRAM_MISSING` if a tool is not built, `USAGE` without a writable temporary folder. */
export function openStage(): DemoFolders {
  const root = findProjectRoot(dirname(realpathSync(process.argv[1] ?? '.')));
  const tools = {
    migrateRepo: findTool(root, 'migrate-repo'),
    affected: findTool(root, 'affected'),
    commitToPublish: findTool(root, 'commit-to-publish'),
  };
  const folder = makeFolder();
  const below = (name: string): AbsolutePath => parseAbsolutePath(join(folder, name));
  const programs = below('bin');
  writePrograms(programs, root);
  return {
    root,
    templates: parseAbsolutePath(join(root, 'tools/demo/templates')),
    folder,
    sources: below('sources'),
    monorepo: below(MONOREPO),
    clone: below('clone'),
    later: below(join('later', MONOREPO)),
    programs,
    ...tools,
  };
}

/** Creates a folder with this project's turbo and yarn: the demo's registry has neither, and nothing is downloaded from a network. */
export function writePrograms(folder: AbsolutePath, root: AbsolutePath): void {
  const write = (name: string, words: readonly string[]): void =>
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${words.map(quoteWord).join(' ')} "$@"\n`, { mode: 0o755 });
  mkdirSync(folder);
  write('turbo', ['env', ...TURBO_SETTINGS, join(root, 'node_modules/.bin/turbo')]);
  write('yarn', [process.execPath, yarnRelease(root)]);
}

function findTool(root: AbsolutePath, name: string): AbsolutePath {
  const bundle = parseAbsolutePath(join(root, 'tools', name, 'out/cli.cjs'));
  if (existsSync(bundle)) return bundle;
  throw new ToolError({
    code: 'PROGRAM_MISSING',
    message: `${name} has not been built.`,
    hint: 'Run "npm run demo" in the folder of the project: it builds what is missing.',
  });
}

function makeFolder(): AbsolutePath {
  try {
    return parseAbsolutePath(realpathSync(mkdtempSync(join(tmpdir(), 'tributary-demo-'))));
  } catch (error) {
    throw new ToolError({
      code: 'USAGE',
      message: `The temporary folder ${tmpdir()} is not writable.`,
      hint: 'Set TMPDIR to an existing, writable folder.',
      cause: error,
    });
  }
}

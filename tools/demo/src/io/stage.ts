import { existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { writePrograms } from './programs.js';

/** The folders of the demo. */
export interface DemoFolders {
  /** This project. */
  readonly root: AbsolutePath;
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
export function openStage(monorepo: string): DemoFolders {
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
    folder,
    sources: below('sources'),
    monorepo: below(monorepo),
    clone: below('clone'),
    later: below(join('later', monorepo)),
    programs,
    ...tools,
  };
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

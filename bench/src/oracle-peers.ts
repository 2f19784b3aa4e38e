import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runCommand } from './affected-process.js';
import { lageRow, linkModules, nxCommand, nxProgram } from './peers.js';

/** A change of a repository whose head is checked out. */
export interface PeerQuestion {
  readonly folder: string;
  readonly base: string;
  readonly head: string;
  readonly env: Parameters<typeof runCommand>[1];
}

/** A tool that answers from a working tree. */
export interface WorkingTreePeer {
  readonly name: string;
  /** The files that it needs, as patterns of a sparse checkout. */
  readonly sparse: readonly string[];
  /** Its settings in a commit without any: the file and the content. */
  readonly settings: readonly [file: string, content: string];
  /** Returns the folders of the workspaces that it selects; throws if it fails. */
  readonly ask: (question: PeerQuestion) => Promise<readonly string[]>;
}

export const TURBO: WorkingTreePeer = {
  name: 'turbo',
  sparse: ['package.json', 'turbo.json', '/yarn.lock', '/.yarnrc.yml', '/.yarn/patches/'],
  settings: ['turbo.json', '{"tasks": {}}\n'],
  ask: async ({ folder, base, head, env }) => {
    const program = join(findProjectRoot(), 'node_modules/.bin/turbo');
    const args = ['ls', `--filter=...[${base}...${head}]`, '--output=json'];
    const text = await runCommand({ program, args, cwd: folder, env: { TURBO_TELEMETRY_DISABLED: '1' } }, env);
    const { packages } = JSON.parse(text.slice(text.indexOf('{'))) as { packages: { items: { path: string }[] } };
    return packages.items.map(({ path }) => path);
  },
};

/** Returns the Nx of a folder, which reads imports only with TypeScript beside it. Throws an `Error` if there is no Nx. */
export function nxPeer(installed: string): WorkingTreePeer {
  const modules = join(installed, 'node_modules');
  if (!existsSync(nxProgram(modules))) throw new Error(`--nx ${installed}: ${nxProgram(modules)} is missing. Install nx 24 there.`);
  return {
    name: 'nx',
    // Some mirrors lack large notebooks, and git cannot check those out.
    sparse: ['/*', '!*.ipynb'],
    // The key alone makes Nx read imports, as it does for users of `@nx/js`.
    settings: ['nx.json', '{"pluginsConfig": {"@nx/js": {}}}\n'],
    ask: async (question) => {
      const data = join(question.folder, '.git/nx');
      linkModules(modules, question.folder);
      const command = nxCommand({ ...question, cwd: question.folder }, modules);
      const ask = (): Promise<string> =>
        runCommand({ ...command, env: { ...command.env, NX_CACHE_DIRECTORY: data, NX_WORKSPACE_DATA_DIRECTORY: data } }, question.env);
      // Nx fails on some lockfiles until its cache has them.
      const [last = ''] = (await ask().catch(ask)).trim().split('\n').slice(-1);
      const graph = readFileSync(join(data, 'project-graph.json'), 'utf8');
      const { nodes } = JSON.parse(graph) as { nodes: Record<string, { data: { root: string } }> };
      return (JSON.parse(last) as string[]).map((name) => nodes[name]?.data.root ?? name);
    },
  };
}

/** Asks the lage of a folder about the head of a repository, whose workspaces are in `packages`, each named like its folder. */
export function askLage(installed: string): WorkingTreePeer['ask'] {
  return async ({ folder, base, env }) => {
    const { command } = lageRow({ cwd: folder, base }, join(installed, 'node_modules'), 'test');
    const { data } = JSON.parse(await runCommand(command, env)) as { data: { scope: readonly string[] } };
    return data.scope.map((name) => name.replace(/^@[^/]*/, 'packages'));
  };
}

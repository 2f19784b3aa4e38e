// Asks affected, turborepo and Nx for the same eight pull requests to a monorepo of ten workspaces, and prints a Markdown table.
//   npm run bench:changes -- --nx <folder> --lage <folder>
// Folders outside of the project: `npm install --ignore-scripts nx@24.0.6 typescript@5`, and `npm install lage@2.17.0`. All have the settings
// of ten-workspaces.ts, with nothing declared for these changes. The root is not counted. Exit code 1 if affected misses a workspace.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { benchEnvironment } from './affected-process.js';
import { askLage, nxPeer, type PeerQuestion, TURBO } from './oracle-peers.js';
import { askAffected, PULL_REQUESTS, TenWorkspaces, workspacesIn } from './ten-workspaces.js';

void main(process.argv.slice(2));

type Ask = (question: PeerQuestion) => Promise<readonly string[]>;

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { nx: { type: 'string' }, lage: { type: 'string' } } });
  const { nx, lage } = values;
  const peers: readonly { readonly name: string; readonly ask: Ask }[] = [
    TURBO,
    ...(nx === undefined ? [] : [nxPeer(resolve(nx))]),
    ...(lage === undefined ? [] : [{ name: 'lage', ask: askLage(resolve(lage)) }]),
  ];
  const work = new TempFolder();
  const ten = await TenWorkspaces.create(work.path);
  try {
    const rows = [
      ['pull request', 'can break', 'affected', ...peers.map(({ name }) => name)],
      ['---', '---', '---', ...peers.map(() => '---')],
    ];
    for (const request of PULL_REQUESTS) {
      await ten.open(request);
      const question = { folder: ten.repo.path, base: 'main', head: 'HEAD', env: benchEnvironment(work.path) };
      const answers = [await cellOf(askAffected, question, request.canBreak)];
      for (const { ask } of peers) answers.push(await cellOf(ask, question, request.canBreak));
      if (/\D/.test(answers[0] ?? '')) process.exitCode = 1;
      rows.push([request.name, String(request.canBreak.length), ...answers]);
    }
    console.log(rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n'));
  } finally {
    await ten.close();
    work.dispose();
  }
}

async function cellOf(ask: Ask, question: PeerQuestion, canBreak: readonly string[]): Promise<string> {
  const selected = await ask(question).then(workspacesIn, (error: unknown) => {
    console.error(error);
    return undefined;
  });
  if (selected === undefined) return 'failed';
  const missed = canBreak.filter((one) => !selected.includes(one)).length;
  return `${selected.length}${missed === 0 ? '' : `, misses ${missed}`}`;
}

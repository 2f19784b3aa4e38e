import { TempRepo } from '@tributary/test-repo/temp-repo';

/**
 * Creates a bare repository with a long history by one `fast-import`: `commits` commits over some 200 files, every tenth a merge, with
 * tags.
 */
export function makeLargeRepo(commits: number): TempRepo {
  const repo = TempRepo.create({ bare: true });
  repo.fastImport([...historyOf(commits)].join(''));
  return repo;
}

function* historyOf(commits: number): Generator<string> {
  for (let number = 1; number <= commits; number++) {
    const who = `Author ${number % 37} <author${number % 37}@example.test> ${1_400_000_000 + number * 3600} +0100`;
    const message = `Change number ${number}\n\nA body of usual length, which says why the change was made.\n`;
    yield `commit refs/heads/main\nmark :${number}\nauthor ${who}\ncommitter ${who}\ndata ${Buffer.byteLength(message)}\n${message}`;
    if (number > 1) yield `from :${number - 1}\n`;
    if (number % 10 === 0 && number > 5) yield `merge :${number - 5}\n`;
    yield* fileAt(number === 1 ? 'package.json' : `src/part${number % 14}/file${number % 199}.ts`, number);
    if (number % 60 === 0) yield `reset refs/tags/v0.${number / 60}.0\nfrom :${number}\n\n`;
  }
}

function* fileAt(path: string, number: number): Generator<string> {
  const content =
    path === 'package.json' ? '{ "name": "large", "version": "1.0.0" }\n' : `export const value = ${number};\n`.repeat(1 + (number % 40));
  yield `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
}

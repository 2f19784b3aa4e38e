import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A PostgreSQL server on a socket in a folder. `bin` is the folder with `initdb`. The server refuses to run as root, so root starts it as
 * `postgres`.
 */
export class PostgresServer {
  private readonly bin: string;
  private readonly folder: string;
  private readonly user: { readonly uid: number; readonly gid: number } | undefined;

  constructor(bin: string, folder: string) {
    this.bin = bin;
    this.folder = folder;
    this.user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
    mkdirSync(folder);
    // Otherwise the server's user could not reach the folder.
    chmodSync(dirname(folder), 0o755);
    if (this.user !== undefined) chownSync(folder, this.user.uid, this.user.gid);
    this.run('initdb', ['-D', join(folder, 'data'), '-A', 'trust', '-U', 'tests', '-E', 'UTF8', '--locale=C', '--no-sync']);
    const options = `-k ${folder} -c listen_addresses= -c fsync=off`;
    this.run('pg_ctl', ['-D', join(folder, 'data'), '-w', '-t', '120', '-l', join(folder, 'log'), '-o', options, 'start']);
  }

  /** Returns the output of psql for a script, as rows of fields. */
  ask(script: string): readonly (readonly string[])[] {
    const options = [
      '-h',
      this.folder,
      '-U',
      'tests',
      '-d',
      'postgres',
      '-X',
      '-q',
      '-A',
      '-t',
      '-F',
      '\t',
      '-v',
      'ON_ERROR_STOP=1',
      '-f',
      '-',
    ];
    const lines = this.run('psql', options, script).split('\n');
    return lines.filter((line) => line !== '').map((line) => line.split('\t'));
  }

  stop(): void {
    this.run('pg_ctl', ['-D', join(this.folder, 'data'), '-m', 'immediate', 'stop']);
  }

  private run(program: string, args: readonly string[], input = ''): string {
    return (
      execFileSync(join(this.bin, program), args, {
        ...this.user,
        cwd: this.folder,
        input,
        encoding: 'utf8',
        // Otherwise the server would hold the pipe open as long as it runs.
        stdio: program === 'psql' ? ['pipe', 'pipe', 'inherit'] : 'ignore',
      }) ?? ''
    );
  }
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}

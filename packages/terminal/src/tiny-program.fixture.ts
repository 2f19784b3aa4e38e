// The program that main.test.ts runs as a process. Each command ends in one way that `runTool` must handle.
import { ToolError } from '@tributary/model/errors';
import { Command } from 'commander';
import { addGlobalOptions, readCwd } from './global-options.js';
import { takesBack } from './interruption.js';
import { runTool, type Services } from './main.js';

const url = 'https://me:s3cret@example.com/x.git';

function fail(): never {
  const cause = new Error('the reason');
  throw new ToolError({ code: 'SOURCE_EMPTY', message: `Nothing in ${url}.`, hint: `Try ${url}`, data: { url }, cause });
}

function throwError(message: string): never {
  throw new Error(message);
}

function waitForever(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 60_000));
}

/** Waits until what was printed has left. */
function written(): Promise<void> {
  return new Promise((resolve) => process.stderr.write('', () => resolve()));
}

/** Rejects a moment after the signal, like a command that must clean up. */
function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    const alive = setInterval(() => {}, 1000);
    const end = (): void => {
      clearInterval(alive);
      reject(signal.reason);
    };
    signal.addEventListener('abort', () => setTimeout(end, 50));
  });
}

function buildProgram({ ui, signal }: Services): Command {
  const program = addGlobalOptions(new Command('tiny').version('1.2.3').description('A tiny program.'));
  const on = (name: string, action: () => void | Promise<void>): Command => program.command(name).action(action);
  const onSignal = (name: string, then: (error: unknown) => void): Command =>
    takesBack(
      on(name, () => {
        ui.status('ready');
        return waitForAbort(signal).catch(then);
      }),
    );

  on('fine', () => ui.data('answer'));
  on('folder', () => ui.data(readCwd(program)));
  on('fail', fail);
  on('usage', () => {
    throw new ToolError({ code: 'USAGE', message: 'Not so.' });
  });
  on('bug', () => throwError('never thought of'));
  on('late-bug', () => {
    setTimeout(() => throwError('nobody waits for me'), 10);
    return waitForever();
  });
  on('lost-promise', () => {
    void Promise.reject(new Error('nobody awaits me'));
    return waitForever();
  });
  on('forgotten-promise', () => new Promise(() => {}));
  onSignal('wait', (error) => {
    throw error;
  });
  onSignal('child-fails', () => {
    throw new ToolError({ code: 'GIT_FAILED', message: 'git died.' });
  });
  onSignal('finish', () => ui.data('finished'));
  takesBack(
    on('stubborn', () => {
      ui.status('ready');
      return waitForever();
    }),
  );
  on('computing', async () => {
    ui.status('ready');
    await written();
    for (;;);
  });
  takesBack(
    on('computing-briefly', async () => {
      ui.status('ready');
      await written();
      for (const start = Date.now(); Date.now() - start < 1000; );
      ui.data('finished');
    }),
  );
  on('much', () => {
    for (let i = 0; i < 20_000; i++) ui.data(`line ${i}`);
    ui.status('reached the end');
  });
  on('color', () => ui.data(String(process.env.NO_COLOR)));
  const one = program.command('group').command('one').option('--jam');
  one.action(() => ui.data('one'));
  return program;
}

void runTool(buildProgram, {
  removed: { commands: { spin: 'Run tiny fine instead.' }, options: { '--toast': 'Write the toast to a file.' } },
});

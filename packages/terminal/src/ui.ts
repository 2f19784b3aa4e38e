import { ToolError } from '@tributary/model/errors';
import { redactUrls } from '@tributary/model/repo-url';
import { Help } from 'commander';
import { type Paint, paintInColor, paintPlain, type Style, type TerminalEnvironment, wantsColor } from './color.js';
import { dropCommands, dropCommandsInJson, dropCommandsInMarkdown } from './drop-commands.js';
import { createProgress, type Progress, type ProgressMode } from './progress.js';
import type { OutputStream, Streams } from './streams.js';

/** The output options that all tools share. */
export interface UiFlags {
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** `never` is `--no-color`. */
  readonly color: 'auto' | 'never';
  /** `never` is `--no-input`. */
  readonly input: 'auto' | 'never';
  readonly json: boolean;
}

/**
 * The output to the user: results go to stdout, messages to stderr. `--quiet` silences status, hints and progress, never warnings, errors
 * or results. Messages contain no credentials of addresses. Messages and pages contain no control characters except line breaks, tabs and
 * colours, and no commands for a CI log. Other data is written unchanged.
 */
export class Ui {
  readonly flags: UiFlags;
  private readonly streams: Streams;
  private readonly environment: TerminalEnvironment;
  private running: Progress | undefined;

  constructor(streams: Streams, environment: TerminalEnvironment, flags: UiFlags) {
    this.flags = flags;
    this.streams = streams;
    this.environment = environment;
  }

  /** Writes lines, or entries that NUL ends, to stdout, unchanged; adds the final newline if it is missing. */
  data(text: string): void {
    this.streams.stdout.write(endLine(text));
  }

  /** Writes sentences to stdout, wrapped on a terminal. Lines that fit, such as those of a table, stay unchanged. */
  page(text: string): void {
    this.data(wrap(dropCommands(text), this.streams.stdout.columns));
  }

  /** Writes Markdown to stdout, for a job to append to a file or a log to show. */
  markdown(text: string): void {
    this.data(dropCommandsInMarkdown(text));
  }

  /** Writes one JSON document to stdout, without commands for a CI log. */
  document(value: unknown): void {
    this.data(dropCommandsInJson(JSON.stringify(value, null, 2)));
  }

  /** Reports what is happening or has happened. */
  status(text: string): void {
    if (!this.flags.quiet) this.talk(text);
  }

  /** Reports a problem with which the command continues. */
  warning(text: string): void {
    this.talk(`${this.paintTalk('yellow', 'warning:')} ${text}`);
  }

  /** Says what to do next. */
  hint(text: string): void {
    if (!this.flags.quiet) this.talk(this.hintLine(text));
  }

  /** Reports details, only with `--verbose`. */
  verbose(text: string): void {
    if (this.flags.verbose) this.talk(this.paintTalk('dim', text));
  }

  /** Reports the failure of a command: `error: <message> [CODE]`, and the hint, even with `--quiet`. */
  error(message: string, more: { readonly code?: string; readonly hint?: string | undefined } = {}): void {
    const code = more.code === undefined ? '' : ` ${this.paintTalk('dim', `[${more.code}]`)}`;
    this.talk(`${this.paintTalk(['bold', 'red'], 'error:')} ${message}${code}`);
    if (more.hint !== undefined) this.talk(this.hintLine(more.hint));
  }

  /** Styles a part of what goes to `data`. */
  styleData(style: Style, text: string): string {
    return this.paintData(style, text);
  }

  /** Returns the maximum width of a table on stdout. Without a terminal there is no limit, unless `COLUMNS` sets one. */
  dataWidth(): number {
    const asked = Number(this.environment.COLUMNS);
    return this.streams.stdout.columns ?? (Number.isInteger(asked) && asked > 0 ? asked : Number.POSITIVE_INFINITY);
  }

  /** Returns the character set for drawing in data: `ascii` on a terminal that declares no Unicode support. Files and pipes get Unicode. */
  dataSigns(): 'unicode' | 'ascii' {
    const { TERM, LC_ALL, LC_CTYPE, LANG } = this.environment;
    const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '');
    const isPlain = TERM === 'linux' || TERM === 'dumb' || (locale !== undefined && !/utf-?8/i.test(locale));
    return this.streams.stdout.isTTY === true && isPlain ? 'ascii' : 'unicode';
  }

  /** Starts to show progress. Only one is shown: the one before ends. */
  progress(): Progress {
    this.stopProgress();
    this.running = createProgress(this.progressMode(), {
      stream: this.streams.stderr,
      paint: this.paintTalk,
      say: (text) => this.talk(text),
    });
    return this.running;
  }

  /** Ends the current progress and restores the cursor. */
  stopProgress(): void {
    this.running?.done();
    this.running = undefined;
  }

  /**
   * Asks yes or no. Returns `cannot-ask` without a terminal and with `--no-input`. The caller then decides, usually by failing and naming
   * the option for yes. Throws `INTERRUPTED` if the user presses Ctrl-C or Escape.
   */
  async confirm(question: string): Promise<'yes' | 'no' | 'cannot-ask'> {
    const { stdin, stderr } = this.streams;
    if (this.flags.input === 'never' || stdin.isTTY !== true || !isInteractive(stderr, this.environment)) return 'cannot-ask';
    // The command continues its progress afterwards, so this only removes it from the screen.
    this.running?.done();
    const { askYesOrNo } = await import('./question.js');
    const answer = await askYesOrNo(redactUrls(dropCommands(question)), stdin, stderr);
    if (answer === 'cancelled') throw new ToolError({ code: 'INTERRUPTED', message: 'The question was not answered.' });
    return answer;
  }

  // Computed for each text: creating a stream takes time, and many commands write to only one of them.
  private get paintData(): Paint {
    return this.paintFor(this.streams.stdout);
  }

  private get paintTalk(): Paint {
    return this.paintFor(this.streams.stderr);
  }

  private paintFor(stream: OutputStream): Paint {
    return wantsColor(stream, this.environment, this.flags.color) ? paintInColor : paintPlain;
  }

  private progressMode(): ProgressMode {
    if (this.flags.quiet) return 'silent';
    // A CI job records its terminal: every redraw would become a line.
    if (isInteractive(this.streams.stderr, this.environment) && !('CI' in this.environment)) return 'line';
    return this.flags.verbose ? 'log' : 'brief';
  }

  private hintLine(text: string): string {
    return `${this.paintTalk('cyan', 'hint:')} ${text}`;
  }

  private talk(text: string): void {
    this.streams.stderr.write(endLine(wrap(redactUrls(dropCommands(text)), this.streams.stderr.columns)));
  }
}

/**
 * Wraps between words, like the help. Continuation lines keep the indent of their line, after the mark of a list item. Without a terminal
 * nothing is wrapped, because whole lines are easier to search in a log.
 */
function wrap(text: string, columns: number | undefined): string {
  if (columns === undefined || columns === 0) return text;
  const help = new Help();
  return text
    .split('\n')
    .map((line) => {
      const start = /^ *(?:(?:\d+\.|[-+]) (?=\S))?/.exec(line)?.[0] ?? '';
      const indent = ' '.repeat(start.length);
      return help
        .boxWrap(line.slice(start.length), columns - start.length)
        .split('\n')
        .map((part, at) => (at === 0 ? start + part : part === '' ? '' : indent + part))
        .join('\n');
    })
    .join('\n');
}

function isInteractive(stream: OutputStream, environment: TerminalEnvironment): boolean {
  return stream.isTTY === true && environment.TERM !== 'dumb';
}

function endLine(text: string): string {
  return text === '' || /[\n\0]$/.test(text) ? text : `${text}\n`;
}

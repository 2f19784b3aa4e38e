import { ToolError } from '@tributary/model/errors';
import { redactUrls } from '@tributary/model/repo-url';
import { Help } from 'commander';
import { type Paint, paintInColor, paintPlain, type Style, type TerminalEnvironment, wantsColor } from './color.js';
import { dropCommands, dropCommandsInJson, dropCommandsInMarkdown } from './drop-commands.js';
import { createProgress, type Progress, type ProgressMode } from './progress.js';
import type { OutputStream, Streams } from './streams.js';

/** What the person asked of the output, by options that all tools share. */
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
 * The person, seen from a command: data goes to stdout, talk to stderr. `--quiet` silences status, hints and progress, never
 * warnings, errors or data. No credential of an address gets out through talk, and no control character but a line break, a tab and the
 * sequences of colours through talk and pages, nor anything that the log of a CI job obeys; data is written as it is.
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

  /** One or several lines for stdout; a newline is added where it is missing. */
  data(text: string): void {
    this.streams.stdout.write(endLine(text));
  }

  /** Sentences for stdout, wrapped where that is a terminal; lines that fit, as those of a table, stay as they are. */
  page(text: string): void {
    this.data(wrap(dropCommands(text), this.streams.stdout.columns));
  }

  /** Markdown for stdout, which a job appends to a file or a log shows. */
  markdown(text: string): void {
    this.data(dropCommandsInMarkdown(text));
  }

  /** One JSON document on stdout, of which a CI job's log obeys nothing. */
  document(value: unknown): void {
    this.data(dropCommandsInJson(JSON.stringify(value, null, 2)));
  }

  /** What happens or has happened. */
  status(text: string): void {
    if (!this.flags.quiet) this.talk(text);
  }

  /** Something is not as it should be, and the command goes on. */
  warning(text: string): void {
    this.talk(`${this.paintTalk('yellow', 'warning:')} ${text}`);
  }

  /** What to do next. */
  hint(text: string): void {
    if (!this.flags.quiet) this.talk(this.hintLine(text));
  }

  /** For `--verbose` only. */
  verbose(text: string): void {
    if (this.flags.verbose) this.talk(this.paintTalk('dim', text));
  }

  /** The end of a command that failed: `error: <message> [CODE]`, and what to do next, also with `--quiet`. */
  error(message: string, more: { readonly code?: string; readonly hint?: string | undefined } = {}): void {
    const code = more.code === undefined ? '' : ` ${this.paintTalk('dim', `[${more.code}]`)}`;
    this.talk(`${this.paintTalk(['bold', 'red'], 'error:')} ${message}${code}`);
    if (more.hint !== undefined) this.talk(this.hintLine(more.hint));
  }

  /** Styles a part of what goes to `data`. */
  styleData(style: Style, text: string): string {
    return this.paintData(style, text);
  }

  /** Styles a part of what goes to `status` and its like. */
  styleTalk(style: Style, text: string): string {
    return this.paintTalk(style, text);
  }

  /** How wide a table on stdout may be. Without a terminal nobody asked to cut data: no limit, unless `COLUMNS` says one. */
  dataWidth(): number {
    const asked = Number(this.environment.COLUMNS);
    return this.streams.stdout.columns ?? (Number.isInteger(asked) && asked > 0 ? asked : Number.POSITIVE_INFINITY);
  }

  /** Which signs data may be drawn with: a terminal that says it knows no Unicode gets none. What goes into a file or a pipe may have all. */
  dataSigns(): 'unicode' | 'ascii' {
    const { TERM, LC_ALL, LC_CTYPE, LANG } = this.environment;
    const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '');
    const isPlain = TERM === 'linux' || TERM === 'dumb' || (locale !== undefined && !/utf-?8/i.test(locale));
    return this.streams.stdout.isTTY === true && isPlain ? 'ascii' : 'unicode';
  }

  /** Starts to show progress; one at a time, the one before ends. */
  progress(): Progress {
    this.stopProgress();
    this.running = createProgress(this.progressMode(), {
      stream: this.streams.stderr,
      paint: this.paintTalk,
      say: (text) => this.talk(text),
    });
    return this.running;
  }

  /** Ends what `progress` started, and gives the terminal its cursor back. */
  stopProgress(): void {
    this.running?.done();
    this.running = undefined;
  }

  /**
   * Asks yes or no. `cannot-ask` without a terminal and with `--no-input`: the caller decides, as a rule by refusing and naming
   * the option that says yes. Throws `INTERRUPTED` when the person presses Ctrl-C or Escape instead.
   */
  async confirm(question: string): Promise<'yes' | 'no' | 'cannot-ask'> {
    const { stdin, stderr } = this.streams;
    if (this.flags.input === 'never' || stdin.isTTY !== true || !isInteractive(stderr, this.environment)) return 'cannot-ask';
    // The command goes on with its progress afterwards, so it is only taken off the screen here.
    this.running?.done();
    const { askYesOrNo } = await import('./question.js');
    const answer = await askYesOrNo(redactUrls(dropCommands(question)), stdin, stderr);
    if (answer === 'cancelled') throw new ToolError({ code: 'INTERRUPTED', message: 'The question was not answered.' });
    return answer;
  }

  // Asked for with each text: a stream takes its time to be made, and many a command says nothing on one of them.
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
    // A terminal of a CI job is recorded: every redrawing would become a line.
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

/** Between words, as the help is; what goes on is indented as its line is, behind the mark of an item. Without a terminal nothing is wrapped: whoever searches in a log wants whole lines. */
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
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

import type { Ui } from '@tributary/terminal/ui';
import { formatCommand, formatOutput, formatParagraph } from '../narration.js';

/** Tells the demo on stdout, step by step. */
export class Narrator {
  private readonly ui: Ui;
  private steps = 0;

  constructor(ui: Ui) {
    this.ui = ui;
  }

  title(text: string): void {
    this.ui.data(this.ui.styleData('bold', text));
  }

  /** The heading of the next step, with its number. */
  step(title: string): void {
    this.steps++;
    this.ui.data(`\n${this.ui.styleData('bold', `${this.steps}. ${title}`)}`);
  }

  say(text: string): void {
    this.ui.data(formatParagraph(text));
  }

  /** A command, as it is started; `into`: the file that takes its output. */
  command(words: readonly string[], into?: string): void {
    this.ui.data(this.ui.styleData('cyan', formatCommand(words, into)));
  }

  /** What a command has written. */
  output(text: string): void {
    this.ui.data(formatOutput(text));
  }
}

import type { Ui } from '@tributary/terminal/ui';
import { formatCommand, formatHeading, formatOutput, formatParagraph, outputWidth, pageWidthFor } from '../narration.js';

/** Prints the demo on stdout, step by step. */
export class Narrator {
  private readonly ui: Ui;
  private readonly pageWidth: number;
  private steps = 0;

  constructor(ui: Ui) {
    this.ui = ui;
    this.pageWidth = pageWidthFor(ui.dataWidth());
  }

  /** The maximum width of a command's output. */
  get outputWidth(): number {
    return outputWidth(this.pageWidth);
  }

  title(text: string): void {
    this.ui.data(this.ui.styleData('bold', text));
  }

  /** Prints the heading of the next step, with its number. */
  step(title: string): void {
    this.steps++;
    this.ui.data(`\n${this.ui.styleData('bold', formatHeading(`${this.steps}. ${title}`, this.pageWidth))}`);
  }

  say(text: string): void {
    this.ui.data(formatParagraph(text, this.pageWidth));
  }

  /** Prints a command as typed; `after`: words that follow as they are, such as a pipe. */
  command(words: readonly string[], after: readonly string[] = []): void {
    this.ui.data(this.ui.styleData('cyan', formatCommand(words, after, this.pageWidth)));
  }

  /** Prints the output of a command. */
  output(text: string): void {
    this.ui.data(formatOutput(text, this.pageWidth));
  }
}

import type { ReceiptPiece, TestFailure } from '../receipt/receipt.js';

/** A failure from a malicious test, within the limits of a receipt. */
export function failing(test: string, message: string, more: Partial<TestFailure> = {}): TestFailure {
  return { file: 'packages/ui/a.test.ts', line: 7, test, message, ...more };
}

/** Turns a piece into a failed one. */
export function failedWith(piece: ReceiptPiece, failures: readonly TestFailure[], log?: string): ReceiptPiece {
  return { ...piece, exit: 1, ...(failures.length === 0 ? {} : { failures }), ...(log === undefined ? {} : { log }) };
}

/** Texts that end the text around them, command a log, or mention people. */
export const HOSTILE: readonly (readonly [title: string, text: string])[] = [
  ['the end of a block', '```\n# Passed\n````\n`````'],
  ['HTML', '</details><img src=x onerror=alert(1)><script>alert(1)</script>\n<!--'],
  ['the end of a comment of HTML', '-->\n<!-- affected:ci -->'],
  ['people', '@team @acme/owners @all fixes #1 https://evil.example'],
  ['links', '[a](javascript:alert(1)) ![b](https://evil.example/c.png) <https://evil.example>'],
  ['a table', '| a | b |\n| --- | --- |\n| c | d |'],
  ['commands to GitHub', '::stop-commands::x\n::error::y\n::add-mask::a\n##[error]z'],
  ['commands to Azure', '##vso[task.complete result=Succeeded;]done\nx ##vso[task.setvariable variable=a]b'],
  ['sections of GitLab', 'section_start:1:a\n\tsection_end:1:a'],
  ['a turned direction', '\u202egnp.exe\u2066 \u061c'],
  ['signs without a width', '#\u00ad#vso[a.b]\n\u200b:\u200d:error::x'],
  ['XML', ']]> <![CDATA[ </failure> &amp; &#0; <?xml?> " \''],
  ['what no document can hold', '\ud800 \ufffe \uffff \udfff'],
  ['backticks', '`'.repeat(20_000)],
  ['lines', 'a\n'.repeat(10_000)],
  ['nothing', ''],
];

/** Turns a text into a full test name, which is one line. */
export function asName(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ') || 'x';
}

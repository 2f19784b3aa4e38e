import { dropCommandsInXml } from '@tributary/terminal/drop-commands';
import { type GateProblem, pieceProblem, type Verdict } from '../gate/judge.js';
import { type Piece, type Plan, pieceName } from '../plan/plan.js';
import type { ReceiptPiece, TestFailure } from '../receipt/receipt.js';

interface TestCase {
  readonly name: string;
  readonly classname: string;
  readonly seconds?: number;
  readonly file?: string | null;
  /** Additional information. */
  readonly output?: string;
  /** `failure`: a test failed. `error`: it is not proven that the tests ran. Missing: passed. */
  readonly outcome?: { readonly kind: 'failure' | 'error'; readonly message: string; readonly text: string };
}

interface TestSuite {
  readonly name: string;
  readonly seconds: number;
  readonly cases: readonly TestCase[];
}

/** The result of a planned piece. */
interface PieceOutcome {
  readonly shard: string;
  readonly piece: Piece;
  /** `undefined`: it did not run. */
  readonly ran: ReceiptPiece | undefined;
  /** The problem; `undefined` if it passed. */
  readonly problem: GateProblem | undefined;
}

/**
 * Renders a run as JUnit XML: a suite for each planned piece with its failed tests, and one with the verdict of the gate. So the file has a
 * failure whenever the gate did not pass. Of passed tests, only the workspace is known.
 */
export function junitOf(plan: Plan, verdict: Verdict): string {
  const suites = [...pieceOutcomes(plan, verdict).map((outcome) => suiteOf(outcome, plan.task)), gateSuite(verdict)];
  const seconds = suites.reduce((sum, one) => sum + one.seconds, 0);
  const counts = countsOf(suites.flatMap(({ cases }) => cases));
  const lines = suites.map((suite) =>
    element('testsuite', { name: suite.name, ...countsOf(suite.cases), ...timeOf(suite.seconds) }, casesOf(suite)),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'affected', ...counts, ...timeOf(seconds) }, `\n${lines.join('')}`)}`;
}

/** Returns every planned piece, in the order of the plan. */
function pieceOutcomes({ shards }: Plan, { receipts }: Pick<Verdict, 'receipts'>): readonly PieceOutcome[] {
  return shards.flatMap(({ id, pieces }) => {
    const { pieces: results = [], failedBuilds = [] } = receipts.get(id) ?? {};
    const ran = new Map(results.map((one) => [pieceName(one), one]));
    return pieces.map((piece) => {
      const one = ran.get(pieceName(piece));
      return { shard: id, piece, ran: one, problem: pieceProblem({ shard: id, failedBuilds }, piece, one) };
    });
  });
}

function suiteOf({ piece, ran, problem }: PieceOutcome, onlyTask: string): TestSuite {
  const seconds = ran === undefined ? 0 : (ran.endedAt - ran.startedAt) / 1000;
  const whole = { name: piece.task ?? onlyTask, classname: piece.workspace, seconds };
  const suite = { name: pieceName(piece), seconds };
  if (problem === undefined) return { ...suite, cases: [whole] };
  const { message } = problem;
  if (ran === undefined || ran.exit === 0) return { ...suite, cases: [{ ...whole, outcome: { kind: 'error', message, text: message } }] };
  const failures = ran.failures ?? [];
  if (failures.length > 0) return { ...suite, cases: failures.map((failure) => failedCase(ran, failure)) };
  return { ...suite, cases: [{ ...whole, outcome: { kind: 'failure', message, text: ran.log ?? '' } }] };
}

function failedCase({ workspace }: ReceiptPiece, { test, file, line, message }: TestFailure): TestCase {
  const [first = ''] = message.split('\n');
  const place = file === null ? '' : `${file}${line === null ? '' : `:${line}`}\n`;
  return { name: test, classname: workspace, file, outcome: { kind: 'failure', message: first, text: `${place}${message}` } };
}

/** Reports the problems of the whole run, because foreign receipts and lost tasks belong to no piece. */
function gateSuite({ passed, problems, notes }: Verdict): TestSuite {
  const output = notes.length === 0 ? {} : { output: notes.map(({ message }) => message).join('\n') };
  const gate = { name: 'every planned piece ran and passed', classname: 'affected gate', ...output };
  const text = problems.map(({ message }) => message).join('\n');
  const cases: readonly TestCase[] = passed ? [gate] : [{ ...gate, outcome: { kind: 'error', message: 'The gate has not passed.', text } }];
  return { name: 'affected gate', seconds: 0, cases };
}

function casesOf({ cases }: TestSuite): string {
  return `\n${cases.map(caseOf).join('')}`;
}

function caseOf({ name, classname, file, seconds, outcome, output }: TestCase): string {
  const place = file === undefined || file === null ? {} : { file };
  const attributes = { name, classname, ...place, ...(seconds === undefined ? {} : timeOf(seconds)) };
  const failed = outcome === undefined ? '' : element(outcome.kind, { message: outcome.message }, escapeXml(outcome.text));
  return element('testcase', attributes, `${failed}${output === undefined ? '' : element('system-out', {}, escapeXml(output))}`);
}

type Attributes = Readonly<Record<string, string | number>>;

function countsOf(cases: readonly TestCase[]): Attributes {
  const count = (kind: string): number => cases.filter(({ outcome }) => outcome?.kind === kind).length;
  return { tests: cases.length, failures: count('failure'), errors: count('error') };
}

function timeOf(seconds: number): Attributes {
  return { time: seconds.toFixed(3) };
}

/** `inside`: already escaped. */
function element(name: string, attributes: Attributes, inside: string): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`);
  return inside === '' ? `<${name}${list.join('')}/>\n` : `<${name}${list.join('')}>${inside}</${name}>\n`;
}

/** Also escapes line breaks, which XML parsers otherwise turn into spaces. */
function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
}

/** Also replaces characters that XML 1.0 cannot represent with U+FFFD: control characters, lone surrogates, U+FFFE and U+FFFF. */
function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const sayable = text.replace(/\r\n?/g, '\n').replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd');
  return dropCommandsInXml(sayable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
}

import { ToolError } from '@tributary/model/errors';
import { addExamples } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { Side } from '../report/comparison.js';
import { READY, readChannels } from './report-options.js';
import { RECORD, type RecordOptions, readSettings } from './settings.js';

type End = LeadTimeQuestion['until'];

interface Span {
  readonly since: Micros;
  readonly until: Micros;
}

interface CompareOptions extends RecordOptions {
  readonly before: Span;
  readonly after: Span;
  readonly channels?: string;
  readonly ready?: LeadTimeQuestion['ready'];
  readonly to: End;
  readonly beforeTo?: End;
  readonly afterTo?: End;
  readonly beforeRepo: readonly string[];
  readonly afterRepo: readonly string[];
  readonly package: readonly string[];
  readonly percentile: 'linear' | 'nearest';
}

const ENDS = ['published', 'upgraded', 'released'] as const;

export function addCompare(program: Command, services: Services): void {
  const command = program
    .command('compare')
    .summary('say what became of the lead time')
    .description(
      'Compares two times, or two sets of repositories: P50 and P90 before and after, each stage, and how many upgrades of consumers there were. A change is claimed only where the releases leave no doubt.',
    )
    .requiredOption('--before <from..to>', 'changes that ended then, such as 2025-01-06..2025-07-01', readSpan)
    .requiredOption('--after <from..to>', 'the same for what it is compared with', readSpan)
    .option(...RECORD)
    .option('--channels <names>', 'which publications count: dist-tags, or what a release is called in the record, with commas between')
    .addOption(new Option(...READY).choices(['merged', 'approved']))
    .addOption(new Option('--to <end>', 'where its way ends').choices(ENDS).default('published'))
    .addOption(new Option('--before-to <end>', 'another end for before: a package of its own is upgraded to in its consumer').choices(ENDS))
    .addOption(new Option('--after-to <end>', 'another end for after').choices(ENDS))
    .option('--before-repo <name>', 'only this repository before; may be given several times', collect, [])
    .option('--after-repo <name>', 'only this repository after; may be given several times', collect, [])
    .option('--package <name>', 'only this package, on both sides; may be given several times', collect, [])
    .addOption(
      new Option('--percentile <method>', 'how a percentile between two values is found').choices(['linear', 'nearest']).default('linear'),
    );
  addExamples(command, [
    {
      line: 'commit-to-publish compare --before 2025-01-06..2025-07-01 --before-to upgraded --after 2025-07-01..2026-01-01 --channels latest',
      purpose: 'a move into the monorepo, after which nobody has to upgrade',
    },
  ]);
  command.action(async (options: CompareOptions) => {
    const { runCompare } = await import('./compare.js');
    const { config, record } = await readSettings(command, options);
    const asked = { ready: config.ready, ...options, channels: readChannels(options.channels, config) };
    const question = { before: sideOf(asked, 'before'), after: sideOf(asked, 'after'), method: options.percentile };
    await runCompare(question, record, services);
  });
}

type CompareAsked = Omit<CompareOptions, 'ready' | 'channels'> & Pick<LeadTimeQuestion, 'ready' | 'channels'>;

function sideOf(options: CompareAsked, which: 'before' | 'after'): Side {
  const until = (which === 'before' ? options.beforeTo : options.afterTo) ?? options.to;
  const lead = { ready: options.ready, until, channels: options.channels };
  return { lead, ...options[which], repos: which === 'before' ? options.beforeRepo : options.afterRepo, packages: options.package };
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** The second day is not in it. */
function readSpan(text: string): Span {
  const [, from = '', to = ''] = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
  const [since, until] = [from, to].map((day) => Date.parse(`${day}T00:00:00Z`) * 1000);
  if (since === undefined || until === undefined || Number.isNaN(since) || Number.isNaN(until))
    throw new InvalidArgumentError('It is two dates, such as 2025-01-06..2025-07-01.');
  if (since >= until) throw new ToolError({ code: 'USAGE', message: `In ${text} the first date is not before the second.` });
  return { since: since as Micros, until: until as Micros };
}

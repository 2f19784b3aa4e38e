import { ToolError } from '@tributary/model/errors';
import { addExamples, readFormat } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { OpenSideQuestion } from '../io/resolve-sides.js';
import type { Micros } from '../model/event.js';
import type { LeadTimeQuestion } from '../model/lead-time.js';
import type { AskedMigration, CompareRequest } from './compare.js';
import { MONOREPO, type MonorepoOptions, readMonorepo } from './monorepo.js';
import { addList, ENDS, type End, readWeeks, startOfDay } from './options.js';
import { CHANNELS, type ChangesOption, changesOption, type LeadOptions, readChannels, readyOption } from './report-options.js';
import { RECORD, type RecordOptions, readSettings } from './settings.js';

/** The changes that ended in a period, or those of some repositories. */
type What = { readonly since: Micros; readonly until: Micros } | { readonly repos: readonly string[] };

interface CompareOptions extends RecordOptions, MonorepoOptions, ChangesOption, Omit<LeadOptions, 'to'> {
  readonly before?: What;
  readonly after?: What;
  readonly migration?: string;
  readonly window: number;
  readonly to?: End;
  readonly beforeTo?: End;
  readonly afterTo?: End;
  readonly beforeRepo: readonly string[];
  readonly afterRepo: readonly string[];
  readonly package: readonly string[];
  readonly format: CompareRequest['format'];
}

export function addCompare(program: Command, services: Services): void {
  const command = program
    .command('compare')
    .summary('compare lead times before and after a migration')
    .description(
      'Compares two periods, two sets of repositories, or the time before and after a package moved in: P50, P90, each stage, and how many consumer upgrades disappeared. Claims a difference only where the releases support it.',
    )
    .option(
      '--before <what>',
      'changes that ended in this period, such as 2025-01-06..2025-07-01, or repository names, comma-separated',
      readWhat,
    )
    .option('--after <what>', 'the same for the other side', readWhat)
    .option(
      '--migration <name>',
      'compare before and after a migration: an imported package, or the commit of its import, which may have several packages',
    )
    .option('--window <weeks>', 'with --migration, number of weeks on each side', readWeeks, 26)
    .option(...MONOREPO)
    .option(...RECORD)
    .option(...CHANNELS)
    .addOption(readyOption())
    .addOption(changesOption())
    .addOption(
      new Option('--to <end>', "end of the lead time (default: published; with --migration, for before: the consumer's release)").choices(
        ENDS,
      ),
    )
    .addOption(
      new Option('--before-to <end>', 'a different end for before, when the package was still upgraded in its consumer').choices(ENDS),
    )
    .addOption(new Option('--after-to <end>', 'a different end for after').choices(ENDS))
    .option('--before-repo <name>', 'only this repository for before; repeatable', addList, [])
    .option('--after-repo <name>', 'only this repository for after; repeatable', addList, [])
    .option('--package <name>', 'only this package, on both sides; repeatable', addList, [])
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'markdown', 'html', 'json']).default('text'));
  addExamples(command, [
    { line: 'commit-to-publish compare --migration @acme/ui --channels latest', purpose: 'half a year before and after the move' },
    {
      line: 'commit-to-publish compare --before acme/ui,acme/app --before-to released --after acme/mono --channels latest',
      purpose: 'two repositories, and the monorepo that has them now',
    },
    {
      line: 'commit-to-publish compare --before 2025-01-06..2025-07-01 --after 2025-07-07..2026-01-05 --channels latest',
      purpose: 'two periods',
    },
  ]);
  command.action(async (options: CompareOptions) => {
    const { runCompare } = await import('./compare.js');
    const { config, record } = await readSettings(command, options);
    const channels = readChannels(options.channels, config);
    const sides = readSides(options, { channels, ready: options.ready ?? config.ready, changes: options.changes });
    await runCompare(
      {
        ...sides,
        format: readFormat(command, options.format),
        record,
        renamed: config.renamed,
        moved: config.moved,
        monorepo: readMonorepo(command, options),
      },
      services,
    );
  });
}

type Common = Pick<LeadTimeQuestion, 'channels' | 'ready' | 'changes'>;

function readSides(options: CompareOptions, common: Common): Pick<CompareRequest, 'before' | 'after' | 'migration'> {
  const { before, after, migration, window } = options;
  if (migration !== undefined) {
    if (before !== undefined || after !== undefined)
      throw new ToolError({
        code: 'USAGE',
        message: '--migration already defines before and after.',
        hint: 'Leave out --before and --after, or --migration.',
      });
    if (options.package.length > 0)
      throw new ToolError({ code: 'USAGE', message: '--migration already defines the packages.', hint: 'Leave out --package.' });
    const asked: AskedMigration = { name: migration, weeks: window };
    return { before: sideOf(options, common, 'before'), after: sideOf(options, common, 'after'), migration: asked };
  }
  if (before === undefined || after === undefined)
    throw new ToolError({
      code: 'USAGE',
      message: 'Nothing to compare is given.',
      hint: 'Give --before and --after, or --migration.',
    });
  const sides = { before: sideOf(options, common, 'before'), after: sideOf(options, common, 'after') };
  if (isShared(before, after) && isShared({ repos: sides.before.repos }, { repos: sides.after.repos }))
    throw new ToolError({
      code: 'USAGE',
      message: '--before and --after have changes in common.',
      hint: 'Give two periods that do not overlap, or different repositories: changes on both sides show no difference.',
    });
  return { ...sides, migration: undefined };
}

/**
 * Tells whether two periods overlap, or whether both sets have a repository in common (an empty set means all). A period and a set share
 * nothing.
 */
function isShared(before: What, after: What): boolean {
  if ('since' in before && 'since' in after) return before.since < after.until && after.since < before.until;
  if (!('repos' in before && 'repos' in after)) return false;
  return before.repos.length === 0 || after.repos.length === 0 || before.repos.some((name) => after.repos.includes(name));
}

function sideOf(options: CompareOptions, common: Common, which: 'before' | 'after'): OpenSideQuestion {
  const isMove = options.migration !== undefined;
  const own = which === 'before' ? options.beforeTo : options.afterTo;
  const until = own ?? options.to ?? (isMove && which === 'before' ? 'released' : 'published');
  const [what, repos] = which === 'before' ? [options.before, options.beforeRepo] : [options.after, options.afterRepo];
  const time = what !== undefined && 'since' in what ? what : { since: undefined, until: undefined };
  const named = what !== undefined && 'repos' in what ? what.repos : [];
  return { ...time, lead: { ...common, until }, repos: [...named, ...repos], packages: options.package };
}

/** Parses two dates, of which the second day is excluded, or names of repositories. */
function readWhat(text: string): What {
  if (!text.includes('..')) return readRepos(text);
  const [, from = '', to = ''] = /^(.*)\.\.(.*)$/.exec(text) ?? [];
  const [since, until] = [from, to].map(startOfDay);
  if (since === undefined || until === undefined)
    throw new InvalidArgumentError('Give two dates, such as 2025-01-06..2025-07-01, or repository names.');
  if (since >= until)
    throw new ToolError({
      code: 'USAGE',
      message: `In ${text}, the first date is not before the second.`,
      hint: 'The second date is the first day after the period.',
    });
  return { since, until };
}

function readRepos(text: string): What {
  const repos = text.split(',').map((name) => name.trim());
  if (repos.some((name) => name === '' || /^\d{4}-\d\d-\d\d$/.test(name)))
    throw new InvalidArgumentError('Give two dates, such as 2025-01-06..2025-07-01, or repository names.');
  return { repos };
}

import { ToolError } from '@tributary/model/errors';
import { addExamples, readFormat } from '@tributary/terminal/global-options';
import type { Services } from '@tributary/terminal/main';
import { type Command, Option } from 'commander';
import type { OpenSideQuestion } from '../io/resolve-sides.js';
import type { Micros } from '../model/event.js';
import { addList, ENDS } from './options.js';
import type { PredictRequest } from './predict.js';
import {
  CHANNELS,
  type ChangesOption,
  changesOption,
  checkTime,
  type LeadOptions,
  readChannels,
  readDate,
  readyOption,
} from './report-options.js';
import { RECORD, type RecordOptions, readSettings } from './settings.js';

interface PredictOptions extends RecordOptions, ChangesOption, LeadOptions {
  readonly without: readonly string[];
  readonly since?: Micros;
  readonly until?: Micros;
  readonly repo: readonly string[];
  readonly package: readonly string[];
  readonly format: PredictRequest['format'];
}

export function addPredict(program: Command, services: Services): void {
  const command = program
    .command('predict')
    .summary('estimate what a migration would save')
    .description(
      'Estimates lead times without the stages that disappear once package and consumer share a repository. Removes these stages from each change. Assumes that everything else stays the same, above all how often there are releases.',
    )
    .option(...RECORD)
    .option(...CHANNELS)
    .addOption(readyOption())
    .addOption(changesOption())
    .addOption(new Option('--to <end>', 'current end of the lead time').choices(ENDS).default('released'))
    .option('--without <stages>', 'stages to remove instead of the usual ones, comma-separated', readNames, [])
    .option('--since <date>', 'only changes that ended on or after this day (default: all)', readDate)
    .option('--until <date>', 'only changes that ended before this day (default: all)', readDate)
    .option('--repo <name>', 'only this repository; repeatable', addList, [])
    .option('--package <name>', 'only this package; repeatable', addList, [])
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'markdown', 'json']).default('text'));
  addExamples(command, [
    {
      line: 'commit-to-publish predict --channels latest --package @acme/ui',
      purpose: 'as if the package were in the repository of its consumer',
    },
    { line: 'commit-to-publish predict --channels latest --to published --without post-merge-tests', purpose: 'without one stage' },
  ]);
  command.action(async (options: PredictOptions) => {
    const { runPredict } = await import('./predict.js');
    const { config, record } = await readSettings(command, options);
    const { to, without, since, until, repo, package: packages } = options;
    const format = readFormat(command, options.format);
    if (to === 'published' && without.length === 0)
      throw new ToolError({
        code: 'USAGE',
        message: 'A move removes no stage before a publication.',
        hint: 'Name the stages to remove: --without post-merge-tests. Or include the consumer: --to released.',
      });
    if (since !== undefined && until !== undefined) checkTime(since, until);
    const { changes, ready = config.ready } = options;
    const lead = { ready, until: to, channels: readChannels(options.channels, config), changes };
    const side: OpenSideQuestion = { lead, since, until, repos: repo, packages };
    await runPredict({ side, without, format, record }, services);
  });
}

function readNames(text: string): readonly string[] {
  return text.split(',').filter((name) => name !== '');
}

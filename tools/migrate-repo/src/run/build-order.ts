import type { Config } from '@tributary/model/config';
import type { Services } from '@tributary/terminal/main';
import type { Progress } from '@tributary/terminal/progress';
import { type AlignChoices, alignChoices } from '../align/choices.js';
import type { SignerIn } from '../io/sign-commits.js';
import type { FetchedSource } from '../io/source.js';
import type { Identity } from '../plan/facts.js';
import type { MigrationPlan, PlannedPackage } from '../plan/plan.js';
import type { MigrateRequest } from './migrate-request.js';

/** What is needed to build the branch of a plan, or to preview it. */
export interface BuildOrder {
  readonly identity: Identity;
  /** `undefined`: the tool's own commits are not signed, as in a preview. */
  readonly signerIn: SignerIn | undefined;
  readonly plan: MigrationPlan;
  /** `undefined`: dependencies are not aligned. */
  readonly align: ({ readonly choices: AlignChoices } & Pick<MigrateRequest, 'install' | 'scripts'>) | undefined;
  /** The fetched sources by package. A package whose history is in the monorepo already has none. */
  readonly fetched: ReadonlyMap<string, FetchedSource>;
  readonly services: Services;
  readonly progress: Progress;
}

/** Returns how to align, by the command line and tributary.json; `undefined` with `--no-align`. */
export function alignmentAsked(
  { align, internal, install, scripts }: Pick<MigrateRequest, 'align' | 'internal' | 'install' | 'scripts'>,
  { migrate }: Config,
): BuildOrder['align'] {
  return align === 'no' ? undefined : { choices: alignChoices(migrate, internal), install, scripts };
}

/** Returns the fetched source of a planned package. */
export function sourceOf({ fetched }: Pick<BuildOrder, 'fetched'>, planned: PlannedPackage): FetchedSource {
  const source = fetched.get(planned.source.request.name);
  if (source === undefined) throw new Error(`${planned.source.request.name} was planned and not fetched`);
  return source;
}

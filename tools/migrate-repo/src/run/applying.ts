import type { Services } from '@tributary/terminal/main';
import type { Progress } from '@tributary/terminal/progress';
import type { AlignChoices } from '../align/choices.js';
import type { DonePackage } from '../history/prove.js';
import type { SignerIn } from '../io/sign-commits.js';
import type { FetchedSource } from '../io/source.js';
import type { Identity } from '../plan/facts.js';
import type { Plan, PlannedPackage } from '../plan/plan.js';
import type { MigrateRequest } from './migrate-request.js';

/** What is needed to carry out a plan, or to see what it would do. */
export interface Applying {
  readonly identity: Identity;
  /** `undefined`: commits of our own are not signed, as in a preview. */
  readonly signerIn: SignerIn | undefined;
  readonly plan: Plan;
  /** `undefined`: dependencies stay as they came. */
  readonly align: ({ readonly choices: AlignChoices } & Pick<MigrateRequest, 'install' | 'scripts'>) | undefined;
  readonly fetched: ReadonlyMap<string, FetchedSource>;
  /** What was moved and proven in this run, by package: a plan that is tried again has no need to. */
  readonly moved: Map<string, DonePackage>;
  readonly services: Services;
  readonly progress: Progress;
}

/** The fetched source of a package of the plan. */
export function sourceOf({ fetched }: Pick<Applying, 'fetched'>, planned: PlannedPackage): FetchedSource {
  const source = fetched.get(planned.source.request.name);
  if (source === undefined) throw new Error(`${planned.source.request.name} was planned and not fetched`);
  return source;
}

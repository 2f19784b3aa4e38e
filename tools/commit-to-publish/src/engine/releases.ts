import type { LeadTimeQuestion } from '../model/lead-time.js';

/**
 * Publications of one version within this time are one release, in microseconds. Packages that a tool publishes together appear one after
 * the other: 78 s for 37 packages were measured, and slow pipelines take longer.
 */
const ONE_RUN = 3600e6;

/**
 * Returns the query for the rows of `leadTimesFrom` or `endsFrom` with `came_with`: the release that published the change.
 * Intervals draw whole releases, because the changes of one release share their end. In one repository, everything published at one moment
 * is one release. So is everything with one version, published within an hour: `ui` and `api` 1.1.0 of one run. The same version at another
 * time, or of another repository, is another release.
 * `leadTimes`: a table, or a query in brackets.
 */
export function withReleases(leadTimes: string, { until }: Pick<LeadTimeQuestion, 'until'>): string {
  const owner = until === 'released' ? 'consumer' : 'repo';
  const named = `select found.*, ${owner} as owner, coalesce(release, concat_ws('', out_at)) as named from ${leadTimes} found`;
  const order = 'partition by owner, named order by out_at';
  return `
    with named_lead_time as (${named}),
      gap as (select one.*, out_at - lag(out_at) over (${order}) as since_last from (select distinct owner, named, out_at from named_lead_time) one),
      run as (select gap.*, sum(case when since_last > ${ONE_RUN} then 1 else 0 end) over (${order}) as number from gap),
      began as (select owner, named, out_at, min(out_at) over (partition by owner, named, number) as began_at from run),
      called as (select began.*, concat_ws(' ', min(named) over (partition by owner, began_at), owner, began_at) as came_with from began)
    select named_lead_time.*, came_with from named_lead_time join called using (owner, named, out_at)`;
}

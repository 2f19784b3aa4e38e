import type { PullRequestText } from '@tributary/model/pull-request-host';
import { breakMentions } from '../messages/mentions.js';
import { namesOf } from '../text.js';
import { LONGEST_MARKER, writeMarked } from './text-marker.js';

/** The input for the text of a pull request. */
export interface Proposal {
  /** `sync`: the packages were imported before. */
  readonly kind: 'migration' | 'sync';
  readonly packages: readonly ProposedPackage[];
  /** The number of commits that the base gains; `undefined` for a plan. */
  readonly commits: number | undefined;
  /** The command that pushes tags; `undefined` if there are none. */
  readonly pushTags: string | undefined;
  /** In Markdown; `undefined` if it was not kept. */
  readonly report: string | undefined;
  /** The owner of the monorepo, whose teams could be mentioned. */
  readonly owner: string;
  /** The last commit of the branch; `undefined` for a plan. */
  readonly tip: string | undefined;
}

export interface ProposedPackage {
  readonly name: string;
  readonly path: string;
  readonly source: string;
  readonly commit: string;
}

// Source of both: 422 responses of the API, "is too long (maximum is … characters)".
const LONGEST_TITLE = 256;
const LONGEST_BODY = 65_536;
const TOO_LONG = '_The report was too long and ends here. Use --report to write all of it._';
/** How many packages a title names. */
const NAMED = 3;

/** Returns the text of the pull request. Its first line says why a squash destroys history, and its last line is the marker. */
export function proposalText(proposal: Proposal): PullRequestText {
  const title = withoutMentions(titleOf(proposal), proposal.owner).slice(0, LONGEST_TITLE);
  const parts = [warning(proposal), whatComes(proposal), tagsOf(proposal)].filter((part) => part !== '');
  const head = withoutMentions(parts.join('\n\n'), proposal.owner);
  const room = LONGEST_BODY - LONGEST_MARKER - head.length;
  const report = proposal.report === undefined ? '' : cutAtHeading(withoutMentions(proposal.report, proposal.owner), room);
  const text = `${head}\n\n${report}`.trimEnd();
  return writeMarked({ title, body: text }, { url: '', tip: proposal.tip ?? 'planned' });
}

function titleOf({ kind, packages }: Proposal): string {
  const names = packages.map(({ name }) => name);
  const shown = namesOf(names, NAMED);
  if (kind === 'sync') return `Import new commits of ${shown}`;
  return packages.length === 1 ? `Migrate ${shown} to ${packages[0]?.path}` : `Migrate ${shown}`;
}

function warning({ kind, packages, commits }: Proposal): string {
  const whose = packages.length === 1 ? packages[0]?.name : `${packages.length} packages`;
  const many = commits === undefined ? 'the commits' : commits === 1 ? 'the commit' : `the ${commits} commits`;
  const verb = commits === 1 ? 'is' : 'are';
  const what = kind === 'sync' ? 'the new history' : 'the whole history';
  return [
    `**Merge this with a merge commit ("Create a merge commit").** A squash or a rebase destroys ${what} of ${whose}:`,
    `${many} of this branch ${verb} then not part of the base branch, so "git log" and "git blame" lose the authors,`,
    'and "migrate-repo verify" and "migrate-repo sync" find no import.',
  ].join(' ');
}

/** Lists the packages, unless a report follows, which begins with the same list. */
function whatComes({ packages, report }: Proposal): string {
  if (report !== undefined) return '';
  return packages
    .map(({ name, path, source, commit }) => `- **${name}** in \`${path}\`, from \`${source}\` at \`${commit.slice(0, 12)}\``)
    .join('\n');
}

function tagsOf({ pushTags }: Proposal): string {
  return pushTags === undefined
    ? ''
    : `Tags are not pushed. After the merge, push them from the clone that has them:\n\n\`\`\`sh\n${pushTags}\n\`\`\``;
}

/** Cuts a report between sections: half a section could leave a code block open and hide the rest. */
function cutAtHeading(report: string, longest: number): string {
  if (report.length <= longest) return report.trimEnd();
  const end = report.lastIndexOf('\n#', Math.max(0, longest - TOO_LONG.length - 2));
  return `${report.slice(0, Math.max(0, end)).trimEnd()}\n\n${TOO_LONG}`;
}

/** Code mentions nobody, and users copy it, so it is not changed. */
const CODE = /(```[\s\S]*?```|~~~[\s\S]*?~~~|`[^`\n]*`)/;

function withoutMentions(text: string, owner: string): string {
  const separator = Buffer.from('\u200b', 'utf8').toString('latin1');
  const broken = (part: string): string =>
    Buffer.from(breakMentions(Buffer.from(part, 'utf8').toString('latin1'), { owner, separator }).text, 'latin1').toString('utf8');
  return text
    .split(CODE)
    .map((part, at) => (at % 2 === 0 ? broken(part) : part))
    .join('');
}

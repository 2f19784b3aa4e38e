import type { InstallationState, PackedPackage } from '../alignment.js';
import type { CarryOverFinding } from '../carry-over/rule.js';
import { groupMessages, type Message, type Remark } from '../message.js';
import { isReason, type ReportPart } from './part.js';

/** Returns the report of carried files. Files that simply stay in the package are not reported. */
export function carryOverPart(
  findings: readonly CarryOverFinding[],
  packed: readonly PackedPackage[],
  installation: InstallationState,
): ReportPart {
  const changed = findings.flatMap((one) => (one.done === undefined ? [] : [remark(one, one.done)]));
  // Remarks apply to the file at its current place.
  const remarks = findings.flatMap((one) => one.remarks.map((message) => remark({ ...one, file: one.stands ?? one.file }, message)));
  const published = packed.flatMap(({ name, decision }) =>
    decision === undefined ? [] : [{ ...ofPackage(name, decision), topic: 'published' as const }],
  );
  const packs = packed.flatMap(({ name, done }) => (done === undefined ? [] : [ofPackage(name, done)]));
  // That published files are unchanged is only reported if something was carried.
  const isQuiet = changed.length + published.length === 0;
  const known = groupMessages(remarks.filter((one) => !isReason(one)));
  const changes = isQuiet ? [] : [...groupMessages([...changed, ...packs]), ...(installation === 'not asked for' ? [NOT_COMPARED] : [])];
  return { step: 'carry-over', decisions: [...published, ...remarks.filter(isReason)], changes: [...changes, ...known] };
}

const NOT_COMPARED = 'Whether the same files as before would be published was not checked, because nothing was installed.';

function remark({ importedPackage, file }: CarryOverFinding, message: Message): Remark {
  return { package: importedPackage, place: file === '' ? null : file, ...message };
}

function ofPackage(name: string, message: Message): Remark {
  return { package: name, place: null, ...message };
}

import type { LockRecord } from '@tributary/lockfile/scan';
import type { WorkspaceLocation } from './declared.js';
import type { InternalFinding } from './internal.js';

/**
 * Returns the findings corrected by an installation's lockfile. A request that was to be linked and is not becomes
 * `left`, and vice versa. `recordsOf`: the entries of a workspace's dependency.
 */
export function settleLinks(
  findings: readonly InternalFinding[],
  recordsOf: (workspace: WorkspaceLocation, name: string) => readonly LockRecord[],
): readonly InternalFinding[] {
  return findings.map((finding): InternalFinding => {
    if (finding.kind !== 'converted' && finding.kind !== 'forced' && finding.kind !== 'left') return finding;
    const records = recordsOf(finding.from, finding.name);
    const isLed = records.some(({ workspace }) => workspace === finding.to.path);
    if (finding.kind === 'left')
      return isLed && (finding.doubt === 'not built' || finding.doubt === 'built elsewhere')
        ? { ...finding, kind: 'converted', because: 'admitted', becomes: finding.range, by: 'version', change: undefined }
        : finding;
    if (isLed || records.length === 0) return finding;
    return { ...finding, kind: 'left', doubt: 'not led' };
  });
}

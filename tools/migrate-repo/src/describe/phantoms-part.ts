import type { BroughtPeer, Phantom, PhantomFinding } from '../align/phantoms/phantom.js';
import { code, namesOf } from '../text.js';
import type { Reason, ReportPart } from './part.js';

export function phantomsPart(findings: readonly PhantomFinding[]): ReportPart {
  return {
    step: 'phantoms',
    decisions: [...findings.flatMap(undeclared), ...findings.flatMap(missedPeers)],
    changes: findings.flatMap(changeOf),
  };
}

function changeOf(finding: PhantomFinding): readonly string[] {
  switch (finding.finding) {
    case 'unread file':
      return [`${finding.importedPackage}: ${code(finding.file)} could not be read. It may name undeclared dependencies.`];
    case 'phantom':
      return isAside(finding)
        ? [`${finding.importedPackage}: ${finding.package} is undeclared; ${useOf(finding)}`]
        : declaredAs(finding.importedPackage, finding.package, finding, useOf(finding));
    case 'brought peer':
      return declaredAs(finding.importedPackage, finding.name, finding, `${finding.manager} installed it as a peer of ${peerOf(finding)}`);
  }
}

function declaredAs(importedPackage: string, name: string, { declared }: Pick<Phantom, 'declared'>, why: string): readonly string[] {
  return declared === undefined ? [] : [`${importedPackage}: ${name} ${code(declared.range)} in ${declared.block}; ${why}`];
}

function undeclared(finding: PhantomFinding): readonly Reason[] {
  if (finding.finding !== 'phantom' || finding.declared !== undefined || isAside(finding)) return [];
  const text =
    finding.problem === 'development only'
      ? 'Published code uses it, but it is only a dev dependency.'
      : 'The package uses it, but no package.json declares it.';
  return [{ topic: 'missing', package: finding.importedPackage, place: finding.package, text, detail: useOf(finding) }];
}

/** Whether only benchmarks, examples and fixtures name an undeclared package: neither consumers nor tests miss it. */
function isAside({ declared, usedIn }: Phantom): boolean {
  return declared === undefined && (usedIn === 'sample' || usedIn === 'fixture');
}

/** Returns peers that no manifest here can declare for the packages that need them. */
function missedPeers(finding: PhantomFinding): readonly Reason[] {
  if (finding.finding !== 'brought peer' || finding.declared !== undefined) return [];
  const { importedPackage, manager, name, version } = finding;
  const text = `${manager} installed it as a peer of other dependencies, but Yarn does not install peers.`;
  return [{ topic: 'missing', package: importedPackage, place: name, text, detail: `${version}, a peer of ${peerOf(finding)}` }];
}

function peerOf({ of }: BroughtPeer): string {
  return of.length === 0 ? 'the package itself' : namesOf(of);
}

function useOf({ kind, file, line, usedIn }: Phantom): string {
  // Type-only uses are in devDependencies even for published code. So "production" would contradict the manifest.
  return `${kind} in ${code(`${file}:${line}`)}${usedIn === 'production' ? '' : ` (${usedIn})`}`;
}

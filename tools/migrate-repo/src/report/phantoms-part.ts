import type { BroughtPeer, Phantom, PhantomFinding } from '../align/phantoms/phantom.js';
import { groupMessages, type Remark } from '../message.js';
import { namesOf } from './names.js';
import { code, type ReportPart } from './part.js';

export function phantomsPart(findings: readonly PhantomFinding[]): ReportPart {
  return {
    step: 'phantoms',
    decisions: [...findings.flatMap(decisionOf), ...groupMessages(findings.flatMap(missedPeers))],
    changes: findings.flatMap(changeOf),
  };
}

function changeOf(finding: PhantomFinding): readonly string[] {
  switch (finding.finding) {
    case 'unread file':
      return [`${finding.importedPackage}: ${code(finding.file)} could not be read whole, and was searched as text.`];
    case 'phantom':
      return declaredAs(finding.importedPackage, finding.package, finding, useOf(finding));
    case 'brought peer':
      return declaredAs(finding.importedPackage, finding.name, finding, `${finding.manager} installed it as a peer of ${peerOf(finding)}`);
  }
}

function declaredAs(importedPackage: string, name: string, { declared }: Pick<Phantom, 'declared'>, why: string): readonly string[] {
  return declared === undefined ? [] : [`${importedPackage}: ${name} ${code(declared.range)} in ${declared.block}; ${why}`];
}

function decisionOf(finding: PhantomFinding): readonly string[] {
  if (finding.finding !== 'phantom' || finding.declared !== undefined) return [];
  const why = finding.problem === 'development only' ? 'which is there for development only' : 'and does not declare it';
  return [`${finding.importedPackage} uses ${finding.package}, ${why}: ${useOf(finding)}.`];
}

/** Those that no manifest here can declare for the ones that ask. */
function missedPeers(finding: PhantomFinding): readonly Remark[] {
  if (finding.finding !== 'brought peer' || finding.declared !== undefined) return [];
  const { importedPackage, manager, name, version } = finding;
  return [
    {
      package: importedPackage,
      place: null,
      text: `${manager} installed peers of packages that others bring, and Yarn installs no peers. Where one is missed, add it with "packageExtensions" in the .yarnrc.yml of the root to the package that has it as a peer.`,
      detail: `${name} ${version}, a peer of ${peerOf(finding)}`,
    },
  ];
}

function peerOf({ of }: BroughtPeer): string {
  return of.length === 0 ? 'the package itself' : namesOf(of);
}

function useOf({ kind, file, line, usedIn }: Phantom): string {
  return `${kind} in ${code(`${file}:${line}`)} (${usedIn})`;
}

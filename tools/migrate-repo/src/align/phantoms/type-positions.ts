import type { File, ImportDeclaration, Node } from '@babel/types';
import { walk } from './syntax.js';

/** TypeScript nodes that contain values. All others are types. */
const WITH_VALUES: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'TSNonNullExpression',
  'TSInstantiationExpression',
  'TSParameterProperty',
  'TSExportAssignment',
  'TSEnumDeclaration',
  'TSEnumBody',
  'TSEnumMember',
  'TSModuleDeclaration',
  'TSModuleBlock',
  'TSImportEqualsDeclaration',
  'TSQualifiedName',
]);

/** Names that compiled JSX uses, by default and with common pragmas. */
const BEHIND_JSX: readonly string[] = ['React', 'h', 'jsx', 'Fragment'];

/** Returns the names that code uses as values. TypeScript drops imports of other names. */
export function namesOfValues(file: File): ReadonlySet<string> {
  const names = new Set<string>();
  walk<'value' | 'type'>(file.program, 'value', (node, state) => {
    if (state === 'type' || isType(node)) return 'type';
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') for (const name of BEHIND_JSX) names.add(name);
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier') names.add(node.name);
    return 'value';
  });
  return names;
}

function isType(node: Node): boolean {
  if (node.type === 'ImportDeclaration') return true;
  return node.type.startsWith('TS') && !WITH_VALUES.has(node.type);
}

/** Whether TypeScript uses only types from an import. */
export function isTypeOnly(node: ImportDeclaration, values: ReadonlySet<string> | undefined): boolean {
  if (node.importKind === 'type' || node.importKind === 'typeof') return true;
  if (node.specifiers.length === 0) return false;
  return node.specifiers.every(
    (one) =>
      (one.type === 'ImportSpecifier' && (one.importKind === 'type' || one.importKind === 'typeof')) ||
      values?.has(one.local.name) === false,
  );
}

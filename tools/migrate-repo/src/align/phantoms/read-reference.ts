import type { CallExpression, Node } from '@babel/types';
import { literalOf } from './syntax.js';
import { isTypeOnly } from './type-positions.js';
import type { ModuleReference, UseKind } from './use.js';

/** A reference of one node, and its kind. */
type Named = Pick<ModuleReference, 'specifier' | 'kind'>;

/** Returns what a node imports, without its child nodes. `values`: the names used as values, if the language is TypeScript. */
export function readReference(node: Node, values: ReadonlySet<string> | undefined): Named | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return named(node.source, isTypeOnly(node, values) ? 'type' : 'import');
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      return named(node.source, node.exportKind === 'type' ? 'type' : 'import');
    case 'ImportExpression':
      return named(node.source, 'import');
    case 'CallExpression':
      return readCall(node);
    case 'TSImportEqualsDeclaration':
      if (node.moduleReference.type !== 'TSExternalModuleReference') return undefined;
      return named(node.moduleReference.expression, node.importKind === 'type' || values?.has(node.id.name) === false ? 'type' : 'import');
    case 'TSImportType':
      return named(node.argument, 'type');
    default:
      return undefined;
  }
}

/** Whether a node is `jest.mock('x', factory, { virtual: true })`, whose module does not exist. */
export function isVirtualMock(node: Node): boolean {
  const options = node.type === 'CallExpression' ? node.arguments[2] : undefined;
  if (options?.type !== 'ObjectExpression') return false;
  return options.properties.some(
    (property) => property.type === 'ObjectProperty' && property.key.type === 'Identifier' && property.key.name === 'virtual',
  );
}

function readCall({ callee, arguments: [first] }: CallExpression): Named | undefined {
  const kind = kindOfCall(callee);
  return kind === undefined ? undefined : named(first, kind);
}

const MOCK =
  /^(?:mock|doMock|unmock|deepUnmock|dontMock|doUnmock|setMock|requireActual|requireMock|importActual|importMock|createMockFromModule|genMockFromModule|unstable_mockModule|unstable_unmockModule)$/;

function kindOfCall(callee: CallExpression['callee']): UseKind | undefined {
  if (callee.type === 'Identifier') return callee.name === 'require' ? 'require' : undefined;
  if (callee.type === 'Import') return 'import';
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined;
  const { object, property } = callee;
  if (object.type === 'MetaProperty') return property.name === 'resolve' ? 'resolve' : undefined;
  if (object.type !== 'Identifier') return undefined;
  if (object.name === 'require') return property.name === 'resolve' ? 'resolve' : MOCK.test(property.name) ? 'mock' : undefined;
  return (object.name === 'jest' || object.name === 'vi') && MOCK.test(property.name) ? 'mock' : undefined;
}

function named(node: Node | null | undefined, kind: UseKind): Named | undefined {
  const specifier = literalOf(node);
  return specifier === undefined ? undefined : { specifier, kind };
}

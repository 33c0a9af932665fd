import { posix } from 'node:path'
import ts from 'typescript5'
import type { Finding } from '../finding.ts'
import { lineOf } from './source.ts'
import type { Source } from './source.ts'

const public_index = /^(kit\/[^/]+(\/[^/]+)?|domains\/[^/]+\/(contract|server|web))\/index\.tsx?$/

type Declared = { name: string; line: number; has_doc: boolean }
type Trees = Map<string, ts.SourceFile>

/** A function that a public index exports has a doc comment where it is declared. */
export function checkDocs(sources: Source[]): Finding[] {
  const trees: Trees = new Map(sources.flatMap(s => (s.tree ? [[s.file, s.tree] as const] : [])))
  return [...trees].filter(([file]) => public_index.test(file)).flatMap(([file, tree]) => [
    ...missingIn(file, tree, () => true),
    ...tree.statements.flatMap(statement => checkReexport(file, statement, trees)),
  ])
}

function checkReexport(file: string, statement: ts.Statement, trees: Trees): Finding[] {
  if (!ts.isExportDeclaration(statement)) return []
  const { moduleSpecifier: from, exportClause: clause } = statement
  if (!from || !ts.isStringLiteral(from) || !clause || !ts.isNamedExports(clause)) return []
  const target = posix.join(posix.dirname(file), from.text)
  const tree = trees.get(target)
  const names = new Set(clause.elements.map(element => (element.propertyName ?? element.name).text))
  return tree ? missingIn(target, tree, name => names.has(name)) : []
}

/** Exported functions of a file without a comment; of overloads one comment is enough. */
function missingIn(file: string, tree: ts.SourceFile, isWanted: (name: string) => boolean): Finding[] {
  const declared = tree.statements.flatMap(statement => exportedFunctions(tree, statement)).filter(d => isWanted(d.name))
  const documented = new Set(declared.filter(d => d.has_doc).map(d => d.name))
  return declared
    .filter(d => !documented.has(d.name))
    .map(({ name, line }) => ({ file, line, rule: 'public-doc', message: `${name} is public: say what it does, shapes, units, errors` }))
}

function exportedFunctions(tree: ts.SourceFile, statement: ts.Statement): Declared[] {
  const is_exported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(m => m.kind === ts.SyntaxKind.ExportKeyword)
  if (!is_exported) return []
  const place = { line: lineOf(tree, statement), has_doc: ts.getJSDocCommentsAndTags(statement).length > 0 }
  if (ts.isFunctionDeclaration(statement)) return [{ name: statement.name?.text ?? 'default', ...place }]
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations
    .filter(d => d.initializer && (ts.isArrowFunction(d.initializer) || ts.isFunctionExpression(d.initializer)))
    .map(d => ({ name: d.name.getText(tree), ...place }))
}

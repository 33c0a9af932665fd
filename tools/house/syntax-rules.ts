import { posix } from 'node:path'
import ts from 'typescript5'
import type { Finding } from '../finding.ts'
import { isTest, lineOf, linesOf, walk } from './source.ts'
import type { Source } from './source.ts'

const handler_lines = 10
const function_lines = 50
const page_lines = 120
const page_file = /\.(list|page|form)\.tsx$/
/** The short transaction that survives a refusal is for these alone. */
const may_own = /throttle|captcha|ticket|idempotency|refusal|^kit\/server\//

type Check = (source: Source, tree: ts.SourceFile, node: ts.Node) => Finding[]
const checks: Check[] = [checkExportAll, checkImportPath, checkHandlers, checkPage, checkOwn]

/** Rules about the syntax of one TypeScript file. */
export function checkSyntax(source: Source): Finding[] {
  const { tree } = source
  if (!tree) return []
  return [...walk(tree)].flatMap(node => checks.flatMap(check => check(source, tree, node)))
}

function checkExportAll({ file }: Source, tree: ts.SourceFile, node: ts.Node): Finding[] {
  if (!ts.isExportDeclaration(node) || (node.exportClause && ts.isNamedExports(node.exportClause))) return []
  return [{ file, line: lineOf(tree, node), rule: 'export-all', message: 'name what is exported' }]
}

/** Relative imports carry their extension (Node runs the files as they are) and stay inside their package. */
function checkImportPath({ file }: Source, tree: ts.SourceFile, node: ts.Node): Finding[] {
  const specifier = specifierOf(node)
  if (!specifier?.startsWith('.')) return []
  const line = lineOf(tree, node)
  const findings: Finding[] = []
  if (!/\.(tsx?|json|css|svg|png|mjs|wasm|html|md)(\?[a-z]+)?$/.test(specifier)) findings.push({ file, line, rule: 'import-extension', message: `'${specifier}' needs its extension` })
  const target = packageOf(posix.join(posix.dirname(file), specifier))
  const leaves = target !== undefined && target !== packageOf(file)
  const is_support = isTest(file) && /\/server\/(builders\.ts$|testing\/)/.test(specifier)
  if (leaves && !is_support) findings.push({ file, line, rule: 'package-import', message: `'${specifier}' leaves the package: import it by its name` })
  return findings
}

function specifierOf(node: ts.Node): string | undefined {
  const text = (n: ts.Node | undefined) => (n && ts.isStringLiteralLike(n) ? n.text : undefined)
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return text(node.moduleSpecifier)
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return text(node.arguments[0])
  return undefined
}

function packageOf(path: string): string | undefined {
  return /^(kit|domains|apps)\/[^/]+/.exec(path)?.[0]
}

/** Handlers of `implement(api, {…})` only tie a call to what answers it, and stand in *.routes.ts. */
function checkHandlers({ file }: Source, tree: ts.SourceFile, node: ts.Node): Finding[] {
  if (isTest(file) || !ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'implement') return []
  const misplaced: Finding[] = file.startsWith('domains/') && !file.endsWith('.routes.ts')
    ? [{ file, line: lineOf(tree, node), rule: 'routes-file', message: 'calls are implemented in <noun>.routes.ts' }]
    : []
  const handlers = node.arguments.slice(1).flatMap(argument => [...walk(argument)]).filter(isFunction)
  const long = handlers
    .filter(handler => linesOf(tree, handler) > handler_lines)
    .map(handler => ({ file, line: lineOf(tree, handler), rule: 'handler-lines', message: `${linesOf(tree, handler)} lines, at most ${handler_lines}` }))
  return [...misplaced, ...long]
}

/** In page files a component may take 120 lines; any other function the usual 50 (the linter knows only the larger figure there). */
function checkPage({ file }: Source, tree: ts.SourceFile, node: ts.Node): Finding[] {
  if (!page_file.test(file) || !isFunction(node)) return []
  const is_component = /^[A-Z]/.test(nameOf(node) ?? '')
  const limit = is_component ? page_lines : function_lines
  const length = linesOf(tree, node)
  if (length <= limit) return []
  return [{ file, line: lineOf(tree, node), rule: is_component ? 'page-lines' : 'function-lines', message: `${length} lines, at most ${limit}` }]
}

function checkOwn({ file }: Source, tree: ts.SourceFile, node: ts.Node): Finding[] {
  if (may_own.test(file) || isTest(file)) return []
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression) || node.expression.name.text !== 'own') return []
  if (node.expression.expression.getText(tree) !== 'ctx') return []
  return [{ file, line: lineOf(tree, node), rule: 'own-transaction', message: 'ctx.own is for throttle, captcha, tickets, idempotency and the log of refusals' }]
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)
}

function nameOf(node: ts.FunctionLikeDeclaration): string | undefined {
  if (node.name) return node.name.getText()
  const holder = node.parent
  return ts.isVariableDeclaration(holder) ? holder.name.getText() : undefined
}

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript5'

const roots = ['kit', 'domains', 'apps', 'e2e', 'bench', 'tools']
const left_out = /(^|\/)(node_modules|dist|fixtures|shots)(\/|$)/
const extensions = /\.(tsx?|mjs|cjs|css|html|sql|json|md)$/

/** One text file of the house: path from the root with forward slashes, its lines, and for TypeScript the syntax tree. */
export type Source = { file: string; text: string; lines: string[]; tree: ts.SourceFile | undefined }

/** Every hand-written text file under the known folders of `root` (built output, packages and fixtures left out). */
export function readSources(root: string): Source[] {
  return roots
    .filter(folder => existsSync(`${root}/${folder}`))
    .flatMap(folder => readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name.replaceAll('\\', '/')}`))
    .filter(file => extensions.test(file) && !left_out.test(file))
    .toSorted()
    .map(file => parse(file, readFileSync(`${root}/${file}`, 'utf8')))
}

function parse(file: string, text: string): Source {
  const tree = /\.tsx?$/.test(file) ? ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) : undefined
  return { file, text, lines: text.split('\n'), tree }
}

/** Line of a node, counted from 1. */
export function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
}

/** Lines that a node covers. */
export function linesOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getEnd()).line - tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
}

/** Every node below `node`, itself first. */
export function* walk(node: ts.Node): Generator<ts.Node> {
  yield node
  const children: ts.Node[] = []
  ts.forEachChild(node, child => void children.push(child))
  for (const child of children) yield* walk(child)
}

/** True for a test file. */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file)
}

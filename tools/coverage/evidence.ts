import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript5'
import { walk } from '../house/source.ts'
import type { Seen } from './count.ts'

const test_words = new Set(['describe', 'it', 'test', 'bench'])
/** Words of `bench/figure.ts` for a line with a limit, which breaks the run. */
const limit_words = new Set(['atMost', 'atLeast'])
const left_out = ['**/node_modules/**', '**/dist/**', '**/fixtures/**']

/** Paths that have a page: tables of the domains which the console composes, and the shell's own. */
export function readPages(root: string): Set<string> {
  const composed = readFileSync(join(root, 'apps/console/app/domains.ts'), 'utf8')
  const tables = globSync('domains/*/web/routes.ts', { cwd: root }).filter(file => composed.includes(`@campus/${file.split('/')[1]}/web`))
  return new Set(['apps/console/app/route-table.ts', ...tables].flatMap(file => pagesIn(readFileSync(join(root, file), 'utf8'))))
}

function pagesIn(text: string): string[] {
  return [...text.matchAll(/'(\/[^']*)': \(\) =>\s*import\(/g)].map(([, path = '']) => path)
}

/** What the tests of the last run saw. Throws when nothing was recorded: such a count proves nothing. */
export function readSeen(folder: string): Seen[] {
  const seen = existsSync(folder) ? globSync('*.jsonl', { cwd: folder }).flatMap(file => parseSeen(readFileSync(join(folder, file), 'utf8'))) : []
  if (seen.length === 0) throw new Error(`Nothing was recorded in ${folder}: run the tests with CAMPUS_TEST_COVERAGE_DIR=${folder} first.`)
  return seen
}

/** Lines `{"on":"answer","text":"…"}`. */
export function parseSeen(lines: string): Seen[] {
  return lines.split('\n').filter(Boolean).map(line => {
    const { on, text }: Record<string, unknown> = JSON.parse(line)
    if ((on !== 'answer' && on !== 'page') || typeof text !== 'string') throw new Error(`No recording: ${line}`)
    return { on, text }
  })
}

/** Acceptance numbers in the names of tests and on the limits of the bench, with the files they stand in. */
export function readNamedTests(root: string): Map<string, string[]> {
  const files = globSync('{{kit,domains,apps,e2e,bench,tools}/**/*.{test,bench}.{ts,tsx},bench/figures/*.ts}', { cwd: root, exclude: left_out }).toSorted()
  const found = new Map<string, string[]>()
  for (const file of files) {
    for (const number of numbersIn(readFileSync(join(root, file), 'utf8'), file)) found.set(number, [...(found.get(number) ?? []), file])
  }
  return found
}

/** Numbers such as `10-A6` or `10-M3` in the names that a test file gives its tests, or that a figure's limits answer; comments and other texts do not count. What is `<R>(` in one kind of file is an element in the other, so the name says which it is. */
export function numbersIn(source: string, file = 'file.test.ts'): Set<string> {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)
  const names = [...walk(tree)].flatMap(node => (ts.isCallExpression(node) ? namesOf(node) : []))
  return new Set(names.flatMap(name => name.match(/\b\d\d-[AM]\d+\b/g) ?? []))
}

function namesOf(node: ts.CallExpression): string[] {
  const word = rootOf(node.expression)
  if (test_words.has(word)) return testName(node)
  return limit_words.has(word) ? node.arguments.slice(-1).filter(ts.isStringLiteralLike).map(last => last.text) : []
}

function testName(node: ts.CallExpression): string[] {
  const [name] = node.arguments
  return name && (ts.isStringLiteralLike(name) || ts.isTemplateExpression(name)) ? [name.getText()] : []
}

/** `test` of `test.each([…])`. */
function rootOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text
  return ts.isCallExpression(node) || ts.isPropertyAccessExpression(node) ? rootOf(node.expression) : ''
}

// `npm run budget`: product lines of each page, beside what a page may cost: a list 500, a report 300, an editor or a wall 1,200.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

type Screen = { file: string; routes: string[] }

const root = join(import.meta.dirname, '..')
const page_line = /'(\/\w+(?:\/\w+)*)': \(\) => import\('(\.[^']+)'\)/g
const import_line = /(?:from|import\()\s*'(\.[^']+)'/g
const isProduct = (file: string) => /\.tsx?$/.test(file) && !/(\.test\.|\.gen\.|\/testing\/)/.test(file)

const domains = readdirSync(join(root, 'domains')).filter(name => existsSync(join(root, 'domains', name, 'web/routes.ts')))
for (const domain of domains.toSorted()) printDomain(domain)

/** A page is charged with its own file and with those that only it imports; what several pages of the domain share, and its contract and server, are split evenly. */
function printDomain(domain: string): void {
  const folder = join(root, 'domains', domain)
  const screens = screensOf(join(folder, 'web/routes.ts'))
  const all = filesBelow(folder).filter(isProduct)
  const used = screens.map(({ file }) => reachedFrom(file))
  const own = screens.map((_, at) => [...(used[at] ?? [])].filter(file => used.filter(files => files.has(file)).length === 1))
  const owned = new Set(own.flat())
  const shared = sum(all.filter(file => !owned.has(file)).map(linesOf)) / Math.max(1, screens.length)
  const lines = own.map(files => sum(files.map(linesOf)))
  const total = sum(all.map(linesOf))
  const routes = sum(screens.map(screen => screen.routes.length))
  console.log(`\n${domain}: ${total} lines, ${screens.length} pages, ${routes} routes; ${Math.round(total / Math.max(1, screens.length))} a page, of these ${Math.round(shared)} shared and on the server`)
  for (const [at, { file, routes: of }] of screens.entries()) console.log(`  ${String(lines[at]).padStart(5)}  ${relative(folder, file)}  ${of.join(' ')}`)
}

function screensOf(table: string): Screen[] {
  const by_file = new Map<string, string[]>()
  for (const [, route = '', path = ''] of readFileSync(table, 'utf8').matchAll(page_line)) {
    const file = join(dirname(table), path)
    by_file.set(file, [...(by_file.get(file) ?? []), route])
  }
  return [...by_file].map(([file, routes]) => ({ file, routes }))
}

/** The files of the same side that a file leads to, itself included. */
function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file) || !existsSync(file)) return reached
  reached.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(import_line)) reachedFrom(join(dirname(file), path), reached)
  return reached
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile() && !entry.parentPath.includes('node_modules')).map(entry => join(entry.parentPath, entry.name))
}

function linesOf(file: string): number {
  return readFileSync(file, 'utf8').split('\n').filter(line => line.trim() !== '').length
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const fixtures = join(root, 'tools/fixtures')
const configs = ['.oxlintrc.json', 'knip.json']
/** Packages that the small trees import; what is in them does not matter. */
const packages = ['zod', 'sm-crypto-v2', 'react', 'pg', 'vitest']

/** A small house without a fault, with the real configuration; `planted` lays the faults of one tool over it. */
export function makeTree(planted?: 'boundaries' | 'house' | 'lint' | 'unused'): string {
  const tree = makeEmptyTree()
  cpSync(join(fixtures, 'clean'), tree, { recursive: true })
  if (planted) cpSync(join(fixtures, 'planted', planted), tree, { recursive: true })
  for (const folder of globSync('{kit,domains,apps}/*', { cwd: tree })) linkPackage(tree, folder)
  for (const name of packages) writeFiles(tree, { [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', main: 'index.js' }), [`node_modules/${name}/index.js`]: '' })
  return tree
}

/** A folder with the configuration and nothing to look at. */
export function makeEmptyTree(): string {
  const tree = mkdtempSync(join(tmpdir(), 'campus-planted-'))
  for (const config of configs) cpSync(join(root, config), join(tree, config))
  return tree
}

function linkPackage(tree: string, folder: string): void {
  const name: unknown = JSON.parse(readFileSync(join(tree, folder, 'package.json'), 'utf8')).name
  const link = join(tree, 'node_modules', String(name))
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(join(tree, folder), link)
}

/** Writes files into a tree, by path from its root. */
export function writeFiles(tree: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
}

/** `file rule` of every fault that a tree declares by a first line `// planted: rule, rule`. */
export function plantedIn(tree: string): string[] {
  return globSync('{kit,domains,apps,tools}/**/*.{ts,tsx}', { cwd: tree }).flatMap(file => {
    const rules = /^\/\/ planted: (.+)\n/.exec(readFileSync(join(tree, file), 'utf8'))?.[1]?.split(', ') ?? []
    return rules.map(rule => `${file} ${rule}`)
  })
}

/** Runs a script of the house (`tools/…` or one of node_modules) with the tree as the current folder. */
export function runIn(tree: string, script: string, ...args: string[]): { code: number | null; output: string; stdout: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: tree, encoding: 'utf8' })
  return { code: status, output: stdout + stderr, stdout }
}

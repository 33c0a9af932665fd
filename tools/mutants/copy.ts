import { cpSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

const copied = ['apps/terminal', 'domains/devices', 'kit', 'package.json']
const left_out: readonly string[] = ['node_modules', 'dist', '.tmp']
const own_scopes: readonly string[] = ['@apps', '@campus', '@kit']

/** Copies what tests of terminals read, so that a rule can be taken away there: its own packages lead into the copy, all others to where they are installed. */
export function copySources(root: string, to: string): void {
  for (const path of copied) cpSync(join(root, path), join(to, path), { recursive: true, filter: from => !left_out.includes(basename(from)) })
  const [installed, linked] = [join(root, 'node_modules'), join(to, 'node_modules')]
  mkdirSync(linked)
  for (const name of readdirSync(installed)) {
    if (own_scopes.includes(name)) cpSync(join(installed, name), join(linked, name), { recursive: true, verbatimSymlinks: true })
    else if (lstatSync(join(installed, name)).isDirectory()) symlinkSync(join(installed, name), join(linked, name))
  }
}

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const most_output = 64 * 1024 * 1024

/**
 * A package that only the bench needs, installed once a machine into a folder outside of this project; scripts of its packages do not run.
 * @param wanted name and exact version, as npm writes them
 * @returns the folder, which holds node_modules, and whether it was installed just now
 * @throws Error when it cannot be installed
 */
export async function installOnDemand(wanted: string): Promise<{ folder: string; is_new: boolean }> {
  const folder = join(tmpdir(), `campus-bench-${wanted.replaceAll(/[@/]/g, '-')}`)
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return { folder, is_new: false }
  mkdirSync(folder, { recursive: true })
  await runIn(folder, 'npm', ['i', '--prefix', folder, wanted, '--ignore-scripts', '--no-audit', '--no-fund'])
  return { folder, is_new: true }
}

/** Runs a command to its end. @throws Error with its last words when it fails */
export async function runIn(folder: string, command: string, args: readonly string[], settings: Record<string, string> = {}): Promise<void> {
  await execute(command, args, { cwd: folder, env: { ...process.env, ...settings }, maxBuffer: most_output })
}

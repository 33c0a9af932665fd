import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One way to take a rule away: its exact words in the one file that keeps it, what stands there without it, and the test that has to fail then. Paths from the project's root. */
export type Mutant = { file: string; rule: string; without: string; test: string; of: string }
/** One trap (chapter 31 §5.8) and the rules by which the virtual terminal sets it and the server's side keeps out of it. */
export type Trap = { trap: string; mutants: readonly Mutant[] }

/** The file without the rule. @throws Error when its words do not stand there exactly once: then nobody knows what was taken away */
export function takeAway({ file, rule, without }: Mutant, root: string): string {
  const text = readFileSync(join(root, file), 'utf8')
  const parts = text.split(rule)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${rule}`)
  return parts.join(without)
}

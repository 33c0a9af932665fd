/** One broken rule at one place. */
export type Finding = { file: string; line: number; rule: string; message: string }

/** Prints findings as `file:line rule message`, one a line, and returns the exit code. */
export function report(name: string, seen: string, findings: Finding[]): number {
  for (const f of findings) console.error(`${f.file}:${f.line} ${f.rule} ${f.message}`)
  if (findings.length > 0) console.error(`${name}: ${findings.length} findings in ${seen}`)
  else console.log(`${name}: nothing to say about ${seen}`)
  return findings.length > 0 ? 1 : 0
}

/** Runs a check; a check that cannot prove anything says so in one line and fails. */
export async function runCheck(name: string, check: () => Promise<number> | number): Promise<void> {
  try {
    process.exitCode = await check()
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}

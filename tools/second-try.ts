import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { z } from 'zod'

/** Of some 550 test files; more than this do not fail by chance. */
const most_files = 6
const Report = z.object({ testResults: z.array(z.object({ name: z.string(), status: z.string() })) })

/**
 * The test files worth a second try after a failed run: a few that failed while the machine did other work at the same time.
 * A run that ended without a report, that failed outside its files or in many of them gets none.
 * @param report path of the run's JSON report
 * @param root the project's root; the answer's paths start there
 */
export function filesForSecondTry(report: string, root: string): string[] {
  if (!existsSync(report)) return []
  const { testResults } = Report.parse(JSON.parse(readFileSync(report, 'utf8')))
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name))
  return failed.length > most_files ? [] : failed
}

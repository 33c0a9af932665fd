import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { z } from 'zod'

const most_files = 12
const Report = z.object({ testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })) })

/**
 * The test files in which a step spent most of its time, longest first: whoever wants a shorter run begins there.
 * @param report path of the run's JSON report
 * @param root the project's root; the answer's paths start there
 */
export function slowestFiles(report: string, root: string): { file: string; seconds: number }[] {
  if (!existsSync(report)) return []
  const { testResults } = Report.parse(JSON.parse(readFileSync(report, 'utf8')))
  return testResults
    .map(({ name, startTime, endTime }) => ({ file: relative(root, name), seconds: (endTime - startTime) / 1000 }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, most_files)
}

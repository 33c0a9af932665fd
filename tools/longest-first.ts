import { relative } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/**
 * The files that take longest, longest first: one that begins when the others are done keeps a single core busy. Among the rest the usual
 * order, which knows how long a file took on this machine, and on a new machine only how large it is.
 */
export const longest = [
  'apps/server/faults/nodes.test.ts',
  'apps/server/faults/kill.test.ts',
  'apps/server/faults/first-steps.long.test.ts',
  'apps/server/faults/nodes-stop.long.test.ts',
  'apps/server/faults/kill-promotion.long.test.ts',
  'apps/server/faults/readiness.test.ts',
  'apps/server/demo/demo.long.test.ts',
  'apps/server/suites/strangers.test.ts',
  'apps/server/suites/fence.test.ts',
  'apps/server/backup/schedule.long.test.ts',
  'apps/server/faults/slow-readers.test.ts',
  'domains/people/server/import/dirty-sheet.test.ts',
  'apps/server/demo/past.long.test.ts',
  'apps/server/faults/kill-undo.long.test.ts',
  'apps/server/sheets/long-export.long.test.ts',
  'apps/server/backup/backup.long.test.ts',
  'apps/server/subject/copies.long.test.ts',
  'e2e/crawl.test.ts',
  'e2e/main-job.test.ts',
  'e2e/states.long.test.ts',
  'e2e/organization.long.test.ts',
  'e2e/accounts.long.test.ts',
]

/** How vitest itself orders them. */
const usually = BaseSequencer.prototype.sort

/** Puts the longest test files in front, whatever project they belong to. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await usually.call(this, files), file => relative(this.ctx.config.root, file.moduleId))
  }
}

/** The files of the list in its order, then the others as they stood. */
export function longestFirst<File>(files: readonly File[], pathOf: (file: File) => string): File[] {
  const placeOf = (file: File) => {
    const place = longest.indexOf(pathOf(file).replaceAll('\\', '/'))
    return place === -1 ? longest.length : place
  }
  return files.toSorted((a, b) => placeOf(a) - placeOf(b))
}

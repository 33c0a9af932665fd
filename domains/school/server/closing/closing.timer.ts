import { setTimer } from '@kit/server/event'
import type { Timer, TimerKind } from '@kit/server/event'
import type { Boot } from '@kit/server/http'
import type { Kysely } from 'kysely'
import { countRemoved, findClosing, finishClosing, tellReceipt } from './closing.queries.ts'
import { schoolFilesPort } from './closing.port.ts'

const kind = 'school.closing'
const watch = 'watch/'
const files_at_once = 100
const day_ms = 86_400_000

/** Goes on with the files of a closed school; one line for each place it has come to, so that going on twice from one place is one line. */
export function closingTimer(files_removed: number, due_at: Date): Timer {
  return { kind, ref: String(files_removed), due_at }
}

/**
 * Removes the files of a closed school when its retention is over, a hundred a time. The bytes go first and then the row says so: broken off anywhere it goes on with what
 * is left, and a store that would not is asked again the next day, as often as it takes.
 */
export function closingSweep({ app, database }: Boot): TimerKind {
  const inSchool = <R>(school_id: number, fn: (db: Kysely<unknown>) => Promise<R>) => database.tenant<unknown, R>(school_id, fn)
  const removeSome = async (school_id: number) => {
    const files = schoolFilesPort.one(app)
    const { removed, failed } = await files.removeSome(school_id, files_at_once)
    const left = await inSchool(school_id, async db => {
      const rest = await files.count(db, school_id)
      const counted = await countRemoved(db, school_id, { removed, left: rest })
      await tellReceipt(db, school_id, { effect: 'files', target: wordsOf(counted, failed), state: failed > 0 ? 'failed' : 'running', at: app.clock.now() })
      if (rest > 0 && failed === 0) await setTimer({ app, db, school_id }, closingTimer(counted.files_removed, app.clock.now()))
      return rest
    })
    if (failed > 0) throw new Error(`${failed} files of the closed school ${school_id} could not be removed`)
    if (left > 0) return
    await files.removeRest(school_id)
    await inSchool(school_id, db => finish(db, school_id, app.clock.now()))
  }
  return {
    kind,
    waits: [60, 600, 3600],
    async run(db, { school_id, ref, now }) {
      const closing = await findClosing(db, school_id)
      if (!closing || closing.finished_at) return undefined
      if (closing.keep_until > now) return void (await setTimer({ app, db, school_id }, { kind, ref: `${watch}${closing.keep_until.getTime()}`, due_at: closing.keep_until }))
      const tomorrow = new Date(now.getTime() + day_ms)
      await setTimer({ app, db, school_id }, { kind, ref: `${watch}${tomorrow.toISOString().slice(0, 10)}`, due_at: tomorrow })
      if (!ref.startsWith(watch)) return () => removeSome(school_id)
      return void (await setTimer({ app, db, school_id }, closingTimer(closing.files_removed, now)))
    },
  }
}

async function finish(db: Kysely<unknown>, school_id: number, now: Date): Promise<void> {
  const closing = await findClosing(db, school_id)
  await finishClosing(db, school_id, now)
  await tellReceipt(db, school_id, { effect: 'files', target: `${closing?.files_removed ?? 0}个文件已全部删除`, state: 'done', at: now })
  await tellReceipt(db, school_id, { effect: 'retention', target: '保存期已满', state: 'done', at: now })
}

function wordsOf({ files_removed, files_total }: { files_removed: number; files_total: number }, failed: number): string {
  return `已删除 ${files_removed} / ${files_total} 个文件${failed > 0 ? `，${failed}个暂时无法删除，系统会每天重试` : ''}`
}

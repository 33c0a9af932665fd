import { rm } from 'node:fs/promises'
import { filesEvents, thumb_widths } from '@campus/files/contract'
import type { SchoolFiles } from '@campus/school/server'
import { publish } from '@kit/server/event'
import type { Boot } from '@kit/server/http'
import { removeBytes } from './bytes.ts'
import { asFiles } from './db.ts'
import type { FilesHandle } from './db.ts'
import { changeFile, state } from './object.queries.ts'

const { deleted } = state
const not_deleted = Object.values(state).filter(one => one !== deleted)

/** What a closed school leaves in the stores, and how it goes: the bytes first, then the row says so. */
export function schoolFiles({ app, database }: Boot): SchoolFiles {
  const own = <R>(school_id: number, fn: (db: FilesHandle) => Promise<R>) => database.tenant(school_id, fn)
  return {
    async count(db, school_id) {
      const { n } = await asFiles(db).selectFrom('file_object').select(({ fn }) => fn.countAll<string>().as('n')).where('school_id', '=', school_id).where('state', '<>', deleted).executeTakeFirstOrThrow()
      return Number(n)
    },
    async removeSome(school_id, most) {
      const some = await own(school_id, db => db.selectFrom('file_object').selectAll().where('school_id', '=', school_id).where('state', '<>', deleted).orderBy('file_key').limit(most).execute())
      let [removed, failed] = [0, 0]
      for (const file of some) {
        const is_gone = await removeBytes({ app, own: (id, fn) => database.tenant(id, fn) }, file).then(() => true, (error: unknown) => {
          app.log.warn({ err: error, school_id, store: file.store }, 'a file of a closed school could not be removed')
          return false
        })
        if (!is_gone) failed += 1
        else if (await own(school_id, db => markDeleted(db, file))) removed += 1
      }
      return { removed, failed }
    },
    async removeRest(school_id) {
      await rm(app.files.pathOf(String(school_id)), { recursive: true, force: true })
      for (const width of thumb_widths) await rm(app.files.thumbOf(String(school_id), width), { recursive: true, force: true })
    },
  }

  async function markDeleted(db: FilesHandle, file: { school_id: number; file_key: string; purpose: string }): Promise<boolean> {
    if (!(await changeFile(db, file, not_deleted, { state: deleted }))) return false
    await publish({ app, db, school_id: file.school_id, now: app.clock.now() }, filesEvents.deleted, { file_key: file.file_key, purpose: file.purpose })
    return true
  }
}

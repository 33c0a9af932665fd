import type { Erase, Rekey } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import type { AttendanceDb, Db } from '../db.ts'

const title = '考勤记录'
const erased = '已清除'
const domain = 'attendance'
/** What stays under the bare number, also of somebody who is erased (chapter 55 rule 19). */
const stays = {
  attend_event: '打卡记录不改写，只记编号',
  attend_event_void: '作废记录不改写，只记编号',
  attend_result: '考勤结果由重算得出，只记编号',
  attend_change: '结果变更不改写，只记编号',
  attend_pending: '封存差异由重算得出，只记编号',
  attend_alert: '考勤提醒为当时的记录，只记编号',
  attend_notice: '已发通知为当时的记录，只记编号',
} as const
const left = { attend_correction: '更正记录属于原编号，合并后不改写', attend_exempt: '免考勤属于原编号，合并后重新设置' } as const
const tables = [...Object.keys(stays), ...Object.keys(left)]

/** Attendance, when two files turn out to be one person: rows keep the number they were made under, lists join by the merge. */
export const attendanceRekey: Rekey = {
  domain,
  title,
  tables,
  stays: { ...stays, ...left },
  preview: () => Promise.resolve({ moves: [], conflicts: [] }),
  apply: () => Promise.resolve([]),
  undo: () => Promise.resolve([]),
  mark: () => Promise.resolve(null),
}

/** Who is erased keeps his counts under the bare number; reasons and evidence of his corrections go, and he is exempt from nothing. */
export const attendanceErase: Erase = {
  domain,
  title,
  stage: 'rows',
  tables,
  stays,
  async erase({ db: handle, school_id, user_id }) {
    const db = asTables<AttendanceDb>(handle)
    const counts = [
      { action: 'anonymised' as const, n: await anonymise(db, school_id, user_id) },
      { action: 'deleted' as const, n: await removeExempts(db, school_id, user_id) },
    ]
    return counts
      .filter(({ n }) => n > 0n)
      .map(({ action, n }) => ({ store: 'db:attendance', title, action, acked: true, evidence: `${n} 行` }))
  },
}

async function anonymise(db: Db, school_id: number, user_id: string): Promise<bigint> {
  const { numUpdatedRows } = await db
    .updateTable('attend_correction')
    .set({ reason_text: erased, opinion: null, file_keys: [] })
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .where('reason_text', '<>', erased)
    .executeTakeFirstOrThrow()
  return numUpdatedRows
}

async function removeExempts(db: Db, school_id: number, user_id: string): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom('attend_exempt')
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return numDeletedRows
}

import type { Erase, Rekey } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import type { AttendanceDb } from '../db.ts'

const title = '考勤安排与提醒'
const tables = ['attend_exempt', 'attend_alert']
const stays = { attend_alert: '考勤提醒为当时的记录，只记编号' } as const

/**
 * Exemptions and alerts, when two files turn out to be one person: they keep the number they were made under and are set anew where wanted.
 */
export const ruleRekey: Rekey = {
  domain: 'attendance_rule', title, tables, stays: { ...stays, attend_exempt: '免考勤属于原编号，合并后重新设置' },
  preview: () => Promise.resolve({ moves: [], conflicts: [] }),
  apply: () => Promise.resolve([]),
  undo: () => Promise.resolve([]),
  mark: () => Promise.resolve(null),
}

/** Who is erased is exempt from nothing; alerts keep the bare number. */
export const ruleErase: Erase = {
  domain: 'attendance_rule', title, stage: 'rows', tables, stays,
  async erase({ db, school_id, user_id }) {
    const { numDeletedRows } = await asTables<AttendanceDb>(db).deleteFrom('attend_exempt').where('school_id', '=', school_id)
      .where('user_id', '=', user_id).executeTakeFirstOrThrow()
    return numDeletedRows === 0n ? [] : [{ store: 'db:attendance', title, action: 'deleted', acked: true, evidence: `${numDeletedRows} 行` }]
  },
}

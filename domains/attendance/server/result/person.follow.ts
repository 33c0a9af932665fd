import type { Erase, Rekey } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import type { AttendanceDb } from '../db.ts'

const title = '考勤记录'
const erased = '已清除'
const stays = {
  attend_event: '打卡记录不改写，只记编号',
  attend_event_void: '作废记录不改写，只记编号',
  attend_result: '考勤结果由重算得出，只记编号',
  attend_change: '结果变更不改写，只记编号',
  attend_pending: '封存差异由重算得出，只记编号',
} as const
const corrections = { attend_correction: '更正记录属于原编号，合并后不改写' } as const
const tables = [...Object.keys(stays), ...Object.keys(corrections)]

/** Attendance, when two files turn out to be one person: rows keep the number they were made under, lists join by the merge. */
export const resultRekey: Rekey = {
  domain: 'attendance',
  title,
  tables,
  stays: { ...stays, ...corrections },
  preview: () => Promise.resolve({ moves: [], conflicts: [] }),
  apply: () => Promise.resolve([]),
  undo: () => Promise.resolve([]),
  mark: () => Promise.resolve(null),
}

/** Who is erased keeps his counts under the bare number (chapter 55 rule 19); reasons and evidence of his corrections go. */
export const resultErase: Erase = {
  domain: 'attendance',
  title,
  stage: 'rows',
  tables,
  stays,
  async erase({ db: handle, school_id, user_id }) {
    const { numUpdatedRows } = await asTables<AttendanceDb>(handle)
      .updateTable('attend_correction')
      .set({ reason_text: erased, opinion: null, file_keys: [] })
      .where('school_id', '=', school_id)
      .where('user_id', '=', user_id)
      .where('reason_text', '<>', erased)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 0n
      ? []
      : [{ store: 'db:attendance', title, action: 'anonymised', acked: true, evidence: `${numUpdatedRows} 行` }]
  },
}

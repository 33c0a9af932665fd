import type { Erase, MovedRow, Rekey } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { TeachingDb } from './db.ts'
import { countQuotas, lockQuotas } from './elective/quota.ts'

const title = '任课与课表'
const tables = [
  'teaching', 'lesson', 'lesson_day', 'teaching_class_student', 'teaching_unavailable', 'edit_step', 'solve_run', 'timetable_version',
    'occupancy',
  'sectioning_run', 'elective_offer', 'elective_student', 'elective_seat', 'elective_event', 'student_combo', 'cover_need', 'change_order',
    'change_item', 'table_import',
] as const
const stays = {
  edit_step: '编辑记录不改写', solve_run: '排课记录不改写', sectioning_run: '分班方案不改写', timetable_version: '发布记录不改写', occupancy: '随课表重新发布',
    teaching_unavailable: '随任课设置', lesson_day: '上课记录不改写', lesson: '随课表版本', teaching_class_student: '教学班名单',
  elective_offer: '选课选项保留', elective_student: '选课记录按当时的学号保留', elective_seat: '选课记录按当时的学号保留', elective_event: '选课流水不改写',
    student_combo: '选科结果由教务核对后改选',
  cover_need: '随请假单', change_order: '调课记录不改写', change_item: '调课记录不改写', table_import: '导入记录不改写',
} as const

/** Teaching, when two files turn out to be one person: what is planned goes to the kept one; lessons follow with the next version (chapter 50 §7). */
export const teachingRekey: Rekey = {
  domain: 'teaching',
  title,
  tables: [...tables],
  stays,
  async preview({ db, school_id, drop_user_id }) {
    const { length: count } = await taughtBy(asTables<TeachingDb>(db), school_id, drop_user_id)
    return { moves: count > 0 ? [{ title, count }] : [], conflicts: [] }
  },
  async apply({ db, school_id, keep_user_id, drop_user_id }) {
    const tabled = asTables<TeachingDb>(db)
    const moved: MovedRow[] = []
    for (const { id } of await taughtBy(tabled, school_id, drop_user_id)) {
      await replaceTeacher(tabled, school_id, id, drop_user_id, keep_user_id)
      moved.push({ table_name: 'teaching', row_key: id, column_name: 'teacher_ids', old_user_id: drop_user_id, before: {} })
    }
    return moved
  },
  async undo({ db, school_id, keep_user_id, drop_user_id }, rows) {
    for (const { row_key } of rows) await replaceTeacher(asTables<TeachingDb>(db), school_id, row_key, keep_user_id, drop_user_id)
    return []
  },
  mark: () => Promise.resolve(null),
}

type Handle = ReturnType<typeof asTables<TeachingDb>>

function taughtBy(db: Handle, school_id: number, user_id: string) {
  return db.selectFrom('teaching').select('id').where('school_id', '=', school_id).where(sql<boolean>`${user_id}::bigint = any(teacher_ids)`).execute()
}

async function replaceTeacher(db: Handle, school_id: number, id: string, from: string, to: string): Promise<void> {
  await db.updateTable('teaching').set({ teacher_ids: sql<string[]>`array_replace(teacher_ids, ${from}::bigint, ${to}::bigint)`, row_version: sql<number>`row_version + 1` }).where('school_id', '=', school_id).where('id', '=', id).execute()
}

/** Who is erased teaches nothing more and stands in no roster; lessons that took place keep the bare number. */
export const teachingErase: Erase = {
  domain: 'teaching',
  title,
  stage: 'rows',
  tables: [...tables],
  stays: { ...stays, teaching: '课时保留，只去掉教师' },
  async erase({ db, school_id, user_id }) {
    const tabled = asTables<TeachingDb>(db)
    const taught = await taughtBy(tabled, school_id, user_id)
    await tabled.updateTable('teaching').set({ teacher_ids: sql<string[]>`array_remove(teacher_ids, ${user_id}::bigint)` }).where('school_id', '=', school_id).where(sql<boolean>`${user_id}::bigint = any(teacher_ids)`).execute()
    const rosters = await tabled.deleteFrom('teaching_class_student').where('school_id', '=', school_id).where('student_id', '=', user_id).executeTakeFirst()
    const chosen = await eraseChoices(tabled, school_id, user_id)
    const count = taught.length + Number(rosters.numDeletedRows) + chosen
    return count === 0 ? [] : [{ store: 'db:teaching', title, action: 'anonymised', acked: true, evidence: `${count} 行` }]
  },
}

/** What a pupil chose goes, and the places it took are free again; the proof of a draw keeps four digits of the number. */
async function eraseChoices(db: Handle, school_id: number, user_id: string): Promise<number> {
  const seats = await db.deleteFrom('elective_seat').where('school_id', '=', school_id).where('student_id', '=', user_id)
    .returning(['offer_id', 'state']).execute()
  for (const { offer_id, state } of seats) {
    const has = state === 1 || state === 4
    if (has) await countQuotas({ db, school_id }, offer_id, (await lockQuotas({ db, school_id }, offer_id, user_id)).mine, -1)
    const less = has ? { taken: sql<number>`taken - 1` } : { waitlisted: sql<number>`waitlisted - 1` }
    if (has || state === 3) await db.updateTable('elective_offer').set(less).where('school_id', '=', school_id).where('id', '=', offer_id)
      .execute()
  }
  for (const table of ['elective_student', 'elective_event', 'student_combo'] as const) {
    await db.deleteFrom(table).where('school_id', '=', school_id).where('student_id', '=', user_id).execute()
  }
  return seats.length
}

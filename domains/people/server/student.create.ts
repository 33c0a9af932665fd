import { ensureAccounts } from './account.ts'
import { insertRows } from './bulk.ts'
import type { Db } from './db.ts'
import type { IdKeys } from './id-number.ts'
import { personRow } from './person.create.ts'
import type { Origin, PersonDraft } from './person.create.ts'

/** Columns of the registry that belong to the pupil, not to the person; codes of the dictionaries. */
export type StudentDraft = {
  student_no: string
  enrol_month: string
  school_roll_no?: string | null
  health?: string | null
  blood?: string | null
  name_pinyin?: string | null
  former_name?: string | null
  native_place?: string | null
  birth_division?: string | null
  hukou_division?: string | null
  hukou?: string | null
  entry_way?: string | null
  study_method?: string | null
  source?: string | null
  only_child?: string | null
  preschool?: string | null
  left_behind?: string | null
  migrant_child?: string | null
  orphan?: string | null
  martyr_child?: string | null
  need_aid?: string | null
  boarding_aid?: string | null
  disability?: string | null
  distance_km?: string | null
  commute?: string | null
  by_bus?: boolean
  remark?: string | null
}

/** A pupil to be put on the roll: in class `dept_id` and in state 在读 from the day `from`. */
export type NewStudent = PersonDraft & StudentDraft & { dept_id: string; from: string; open_kind?: 'IN' | 'ENROL' }

const pupil_kind = 1
const class_type = 4
const in_school = '01'

/**
 * Puts pupils on the roll in bulk: account, person, pupil, state and class.
 * @returns their user ids in the order of the rows
 */
export async function enrolStudents(db: Db, keys: IdKeys, school_id: number, rows: readonly NewStudent[], origin: Origin = {}): Promise<string[]> {
  const people = rows.map(row => ({ user_no: row.student_no, user_name: row.user_name, user_kind: pupil_kind }))
  const ids = await ensureAccounts(db, school_id, people)
  const each = rows.map((row, at) => ({ row, user_id: ids[at] ?? '' }))
  const batch_no = origin.batch_no ?? null
  await insertRows(db, 'person', each.map(({ row, user_id }) => personRow(keys, school_id, user_id, row, origin)))
  await insertRows(db, 'student', each.map(({ row, user_id }) => studentRow(school_id, user_id, row)))
  await insertRows(db, 'student_span', each.map(({ row, user_id }) => {
    return { school_id, user_id, state: in_school, valid_from: row.from, open_kind: row.open_kind ?? 'IN', batch_no }
  }))
  await insertRows(db, 'dept_member', each.map(({ row, user_id }) => {
    return { school_id, user_id, dept_id: row.dept_id, member_kind: 'student', dept_type: class_type, valid_from: row.from, batch_no }
  }))
  return ids
}

function studentRow(school_id: number, user_id: string, row: StudentDraft) {
  return {
    school_id,
    user_id,
    student_no: row.student_no,
    enrol_month: row.enrol_month,
    school_roll_no: row.school_roll_no ?? null,
    health: row.health ?? null,
    blood: row.blood ?? null,
    name_pinyin: row.name_pinyin ?? null,
    former_name: row.former_name ?? null,
    native_place: row.native_place ?? null,
    birth_division: row.birth_division ?? null,
    hukou_division: row.hukou_division ?? null,
    hukou: row.hukou ?? null,
    entry_way: row.entry_way ?? null,
    study_method: row.study_method ?? null,
    source: row.source ?? null,
    only_child: row.only_child ?? null,
    preschool: row.preschool ?? null,
    left_behind: row.left_behind ?? null,
    migrant_child: row.migrant_child ?? null,
    orphan: row.orphan ?? null,
    martyr_child: row.martyr_child ?? null,
    need_aid: row.need_aid ?? null,
    boarding_aid: row.boarding_aid ?? null,
    disability: row.disability ?? null,
    distance_km: row.distance_km ?? null,
    commute: row.commute ?? null,
    by_bus: row.by_bus ?? false,
    remark: row.remark ?? null,
  }
}

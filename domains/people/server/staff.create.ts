import { ensureAccounts } from './account.ts'
import { insertRows } from './bulk.ts'
import { oneOf } from './dated.ts'
import type { Db } from './db.ts'
import { declareDuties } from './duty.declare.ts'
import type { Duty } from './duty.declare.ts'
import type { IdKeys } from './id-number.ts'
import { personRow } from './person.create.ts'
import type { Origin, PersonDraft } from './person.create.ts'

export type StaffDraft = {
  teacher_no: string
  kind: string
  join_month: string
  bz?: string | null
  post?: string | null
  employ?: string | null
  edu?: string | null
  degree?: string | null
  title?: string | null
  stage?: string | null
  subject?: string | null
  cert?: string | null
  mandarin?: string | null
  work_month?: string | null
  remark?: string | null
}

/**
 * A member of staff to be hired from the day `from`; the first department is the primary one unless another says so. Departments and
 * duties hold from then on, unless they name days of their own (`to` is the first day without).
 */
export type NewStaff = PersonDraft &
  StaffDraft & {
    from: string
    state?: '04' | '11' | '12' | '13'
    depts: readonly { dept_id: string; is_primary?: boolean; position?: string | null; from?: string }[]
    duties?: readonly { dept_id: string; duty: Duty; from?: string; to?: string }[]
    /** PERSON_KIND: 2 staff (default), 6 employee, 7 hired from outside */
    user_kind?: 2 | 6 | 7
  }

const staff_kind = 2
const in_office = '11'
type Hired = { row: NewStaff; user_id: string }

/**
 * Hires staff in bulk: account, person, staff, state, departments and duties.
 * @returns their user ids in the order of the rows
 */
export async function hireStaff(db: Db, keys: IdKeys, school_id: number, rows: readonly NewStaff[], origin: Origin = {}): Promise<string[]> {
  const people = rows.map(row => ({ user_no: row.teacher_no, user_name: row.user_name, user_kind: row.user_kind ?? staff_kind }))
  const ids = await ensureAccounts(db, school_id, people)
  const each = rows.map((row, at) => ({ row, user_id: ids[at] ?? '' }))
  const batch_no = origin.batch_no ?? null
  await insertRows(db, 'person', each.map(({ row, user_id }) => personRow(keys, school_id, user_id, row, origin)))
  await insertRows(db, 'staff', each.map(({ row, user_id }) => staffRow(school_id, user_id, row)))
  await insertRows(db, 'staff_span', each.map(({ row, user_id }) => {
    return { school_id, user_id, state: row.state ?? in_office, valid_from: row.from, open_kind: 'IN', batch_no }
  }))
  await insertRows(db, 'dept_member', await memberRows(db, school_id, each, batch_no))
  const duties = each.flatMap(({ row, user_id }) =>
    (row.duties ?? []).map(({ from = row.from, to = null, ...duty }) => ({ school_id, user_id, ...duty, valid_from: from, valid_to: to })),
  )
  await insertRows(db, 'dept_duty', duties)
  await declareDuties(db, school_id, duties.map(({ user_id }) => user_id))
  return ids
}

async function memberRows(db: Db, school_id: number, each: readonly Hired[], batch_no: string | null) {
  const wanted = [...new Set(each.flatMap(({ row }) => row.depts.map(({ dept_id }) => dept_id)))]
  const found = await db.selectFrom('dept').select(['id', 'dept_type']).where('school_id', '=', school_id).where(oneOf('id', wanted)).execute()
  const types = new Map(found.map(({ id, dept_type }) => [id, dept_type]))
  return each.flatMap(({ row, user_id }) => {
    const chosen = row.depts.findIndex(dept => dept.is_primary)
    return row.depts.map(({ dept_id, position, from = row.from }, at) => ({
      school_id,
      user_id,
      dept_id,
      member_kind: 'staff',
      dept_type: types.get(dept_id) ?? 0,
      is_primary: at === Math.max(0, chosen),
      position: position ?? null,
      valid_from: from,
      batch_no,
    }))
  })
}

function staffRow(school_id: number, user_id: string, row: StaffDraft) {
  return {
    school_id,
    user_id,
    teacher_no: row.teacher_no,
    kind: row.kind,
    join_month: row.join_month,
    bz: row.bz ?? null,
    post: row.post ?? null,
    employ: row.employ ?? null,
    edu: row.edu ?? null,
    degree: row.degree ?? null,
    title: row.title ?? null,
    stage: row.stage ?? null,
    subject: row.subject ?? null,
    cert: row.cert ?? null,
    mandarin: row.mandarin ?? null,
    work_month: row.work_month ?? null,
    remark: row.remark ?? null,
  }
}

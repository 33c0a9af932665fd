import type { Db } from '../db.ts'
import { oneOf } from '../dated.ts'
import { pendingCommands } from '../change/subject.facts.ts'

type DeptRow = { id: string; dept_id: string; is_primary: boolean; valid_from: string; valid_to: string | null }
type StateRow = { id: string; state: string; valid_from: string; valid_to: string | null }

/** A member of staff as a command finds him: departments and states over days, earliest first, classes he heads, the command still to come. */
export type StaffFacts = { user_id: string; user_name: string; user_no: string; depts: DeptRow[]; states: StateRow[]; heads: { dept_id: string; valid_from: string; valid_to: string | null }[]; pending: string | null }

/** The staff among these people, in the order of their ids; who is no staff of the school, now or ever, is absent. */
export async function staffFacts(db: Db, school_id: number, user_ids: readonly string[], today: string): Promise<StaffFacts[]> {
  const people = await db
    .selectFrom('staff as s')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 's.school_id').onRef('p.user_id', '=', 's.user_id'))
    .select(['s.user_id', 'p.user_name', 's.teacher_no as user_no'])
    .where('s.school_id', '=', school_id)
    .where('p.school_id', '=', school_id)
    .where('p.status', '=', 'live')
    .where(oneOf('s.user_id', user_ids))
    .orderBy('s.user_id')
    .execute()
  const depts = Map.groupBy(await deptRows(db, school_id, user_ids), row => row.user_id)
  const states = Map.groupBy(await stateRows(db, school_id, user_ids), row => row.user_id)
  const heads = Map.groupBy(await headRows(db, school_id, user_ids), row => row.user_id)
  const pending = await pendingCommands(db, school_id, user_ids, today)
  return people.map(person => {
    const { user_id } = person
    return { ...person, depts: depts.get(user_id) ?? [], states: states.get(user_id) ?? [], heads: heads.get(user_id) ?? [], pending: pending.get(user_id) ?? null }
  })
}

function deptRows(db: Db, school_id: number, user_ids: readonly string[]) {
  return db
    .selectFrom('dept_member')
    .select(['user_id', 'id', 'dept_id', 'is_primary', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where('member_kind', '=', 'staff')
    .where(oneOf('user_id', user_ids))
    .orderBy('valid_from')
    .orderBy('is_primary')
    .orderBy('id')
    .execute()
}

function stateRows(db: Db, school_id: number, user_ids: readonly string[]) {
  return db
    .selectFrom('staff_span')
    .select(['user_id', 'id', 'state', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where(oneOf('user_id', user_ids))
    .orderBy('valid_from')
    .execute()
}

function headRows(db: Db, school_id: number, user_ids: readonly string[]) {
  return db
    .selectFrom('dept_duty')
    .select(['user_id', 'dept_id', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where('duty', '=', 'head')
    .where(oneOf('user_id', user_ids))
    .orderBy('dept_id')
    .execute()
}

import { sql } from 'kysely'
import { oneOf, validOn } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Db } from '../db.ts'
import type { RekeyConflict, RekeyPair } from './rekey-port.ts'

type Fact = { user_id: string; what: string; code: string; name: string }

const titles: ReadonlyMap<string, string> = new Map([
  ['people.class', '今天在两个班级'], ['people.state', '学籍状态不同'], ['people.primary_dept', '主部门不同'], ['people.staff_state', '任职状态不同'],
])

/** What both have today of which one person has but one: class, state on the roll, primary department, state of service. */
export async function pairConflicts(db: Db, { school_id, keep_user_id, drop_user_id, now }: RekeyPair): Promise<RekeyConflict[]> {
  const facts = await todaysFacts(db, school_id, [keep_user_id, drop_user_id], schoolDay(now))
  return [...titles].flatMap(([code, title]) => {
    const of = (user_id: string) => facts.find(fact => fact.code === code && fact.user_id === user_id)
    const [keep, drop] = [of(keep_user_id), of(drop_user_id)]
    return keep && drop && keep.what !== drop.what ? [{ code, title, keep: keep.name, drop: drop.name }] : []
  })
}

async function todaysFacts(db: Db, school_id: number, user_ids: readonly string[], today: string): Promise<Fact[]> {
  const state = (type: string) => sql`coalesce((select d.name from dictionary_v d where d.school_id = ${school_id} and d.sc_code_type = ${type} and d.sc_code_item = t.state limit 1), t.state)`
  const { rows } = await sql<Fact>`
    select m.user_id, m.dept_id::text as what, case m.member_kind when 'student' then 'people.class' else 'people.primary_dept' end as code, v.pt_node_path_name as name
    from dept_member m join dept_version v on v.school_id = m.school_id and v.dept_id = m.dept_id
    where m.school_id = ${school_id} and v.school_id = ${school_id} and ${oneOf('m.user_id', user_ids)} and m.is_primary and ${validOn('m', today)} and ${validOn('v', today)}
    union all
    select t.user_id, t.state, 'people.state', ${state('STUDENT_STATE')} from student_span t where t.school_id = ${school_id} and ${oneOf('t.user_id', user_ids)} and ${validOn('t', today)}
    union all
    select t.user_id, t.state, 'people.staff_state', ${state('STAFF_STATE')} from staff_span t where t.school_id = ${school_id} and ${oneOf('t.user_id', user_ids)} and ${validOn('t', today)}`.execute(db)
  return rows
}

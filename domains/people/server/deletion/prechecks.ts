import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { oneOf } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Precheck, PrecheckDesk, PrecheckHit } from './precheck-port.ts'

const living_with = sql`from guardian_link g join student_span t on t.school_id = g.school_id and t.user_id = g.student_user_id`

/** Whoever is still here has to leave first (rule 21). */
const still_here: Precheck = {
  code: 'still_here',
  title: '仍在校',
  level: 'block',
  is_fixed: true,
  async find(desk, user_ids) {
    const on = schoolDay(desk.now)
    const pupils = await found(desk, sql`select distinct t.user_id from student_span t
      where t.school_id = ${desk.school_id} and ${oneOf('t.user_id', user_ids)} and (t.valid_to is null or t.valid_to > ${on}::date)`)
    const staff = await found(desk, sql`select distinct t.user_id from staff_span t
      where t.school_id = ${desk.school_id} and ${oneOf('t.user_id', user_ids)} and (t.valid_to is null or t.valid_to > ${on}::date)`)
    return [...hits(pupils, '请先为该学生办理离校', '/ParentsRecord'), ...hits(staff, '请先为该教职工办理离职', null)]
  },
}

const only_guardian: Precheck = {
  code: 'only_guardian',
  title: '在读学生的唯一监护人',
  level: 'block',
  is_fixed: true,
  find: async (desk, user_ids) => hits(await found(desk, guardians(desk, user_ids, sql`g.is_guardian and not exists (
      select from guardian_link o where o.school_id = ${desk.school_id} and o.student_user_id = g.student_user_id and o.id <> g.id and o.is_guardian
        and (o.valid_to is null or o.valid_to > ${schoolDay(desk.now)}::date))`)), '请先为该学生添加其他监护人', '/ParentsRecord'),
}

const live_parent: Precheck = {
  code: 'live_parent',
  title: '在校学生的家长',
  level: 'block',
  is_fixed: true,
  find: async (desk, user_ids) => hits(await found(desk, guardians(desk, user_ids, sql`true`)), '请先在学生档案中移除该家长', '/ParentsRecord'),
}

const head_teacher: Precheck = {
  code: 'head_teacher',
  title: '担任班主任',
  level: 'block',
  async find(desk, user_ids) {
    const rows = await found(desk, sql`select distinct y.user_id from dept_duty y
      where y.school_id = ${desk.school_id} and ${oneOf('y.user_id', user_ids)} and y.duty = 'head' and (y.valid_to is null or y.valid_to > ${schoolDay(desk.now)}::date)`)
    return hits(rows, '请先指定接任的班主任', '/Organization')
  },
}

const open_change: Precheck = {
  code: 'open_change',
  title: '未完成审批',
  level: 'block',
  async find(desk, user_ids) {
    const rows = await found(desk, sql`select distinct s.user_id from change_subject s join change_command c on c.school_id = s.school_id and c.id = s.command_id
      where s.school_id = ${desk.school_id} and c.school_id = ${desk.school_id} and ${oneOf('s.user_id', user_ids)} and c.state in ('draft', 'scheduled', 'undoing')`)
    return hits(rows, '有未生效的变更，请先取消或等待生效', '/ChangeRecord')
  },
}

/** What people itself can tell; other domains register theirs. */
export const people_prechecks: readonly Precheck[] = [still_here, head_teacher, only_guardian, live_parent, open_change]

/** Guardians with an open link to a pupil who is on the roll today. */
function guardians({ school_id, now }: PrecheckDesk, user_ids: readonly string[], more: ReturnType<typeof sql>) {
  const on = schoolDay(now)
  return sql`select distinct g.parent_user_id as user_id ${living_with}
    where g.school_id = ${school_id} and t.school_id = ${school_id} and ${oneOf('g.parent_user_id', user_ids)} and (g.valid_to is null or g.valid_to > ${on}::date)
      and (t.valid_to is null or t.valid_to > ${on}::date) and ${more}`
}

async function found({ db }: { db: QueryExecutorProvider }, query: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`${query}`.execute(db)
  return rows.map(row => row.user_id)
}

function hits(user_ids: readonly string[], action: string, link: string | null): PrecheckHit[] {
  return user_ids.map(user_id => ({ user_id, action, link }))
}

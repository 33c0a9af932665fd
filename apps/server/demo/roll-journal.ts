import type { ArchiveOperator, ArchiveRow } from '@campus/audit/server'
import { sql } from 'kysely'
import { randomOf, uuidOf } from './audit-plan.ts'
import type { Work } from './school-work.ts'
import { startOfDay } from './school-year.ts'
import { demo_seed } from './seed.ts'

/** Somebody of the staff as a journal names him. */
export type Staff = { user_id: string; user_no: string; user_name: string; role_no: string; role_name: string }

type Day = Pick<Work, 'db' | 'school_id' | 'today'>
/** A row of the archive journal and who wrote it. */
export type RollLine = { operator: ArchiveOperator; row: ArchiveRow }
/** A step of somebody's roll: how a span began or ended, or a class that is another one since a day. */
type Step = { kind: 'entered' | 'left' | 'class'; code: string; user_id: string; user_no: string; user_name: string; day: string; dept_id: string | null; before: string | null; after: string | null }

const ops = { create: 3, change: 4 } as const
const minute_ms = 60_000
/** Work of a day begins at eight; one sheet or promotion writes some hundred people a minute. */
const morning_ms = 8 * 60 * minute_ms
const a_minute = 120
const entry_words: Readonly<Record<string, string>> = { ENROL: '入学', IN: '转入', RETURN: '复学', SUSPEND: '休学' }
const exit_words: Readonly<Record<string, string>> = { GRAD: '毕业', OUT: '转出', SUSPEND: '休学' }

/** One row of the archive journal for everybody who came upon the roll, left it, went up with his class or moved to another one: what the spans of the demo tell, no more. */
export async function rollRows({ db, school_id, today }: Day, staff: readonly Staff[]): Promise<RollLine[]> {
  const steps = await readSteps({ db, school_id, today })
  const [registrar] = staff
  if (!registrar) throw new Error('the demo school has nobody to keep its roll')
  const random = randomOf(`${demo_seed}:roll`)
  return [...Map.groupBy(steps, step => `${step.day}/${step.kind}`).values()].flatMap(own => {
    const request_id = uuidOf(random)
    const morning = startOfDay(own[0]?.day ?? '').getTime() + morning_ms
    return own.map((step, at) => ({ operator: { school_id, at: new Date(morning + Math.floor((at * minute_ms) / a_minute)), request_id, ...registrar }, row: rowOf(step, school_id, own.length) }))
  })
}

function rowOf({ kind, code, user_id, user_no, user_name, day, dept_id, before, after }: Step, school_id: number, together: number): ArchiveRow {
  const person = { person_kind: 1, person_id: user_id, person_no: user_no, person_name: user_name, dept_id: dept_id ?? undefined, dept_name: after ?? before ?? undefined }
  const effective = { field: 'effective_on', label: '生效日期', before: null, after: day }
  if (kind === 'class') return { ...person, op_type: ops.change, source: code === 'CLASS' ? 'command' : 'promotion', changes: [{ field: 'dept_name', label: '班级', before, after }, effective] }
  const change = { field: 'state', label: '学籍变动', before: null, after: (kind === 'entered' ? entry_words : exit_words)[code] ?? code }
  if (kind === 'left') return { ...person, op_type: ops.change, source: code === 'GRAD' ? 'promotion' : 'command', changes: [change, effective] }
  const is_sheet = code === 'ENROL' && together > 1
  const source = code === 'ENROL' ? { op_type: ops.create, source: is_sheet ? 'import' as const : 'typed' as const, batch_no: is_sheet ? `${school_id}${day.replaceAll('-', '')}` : undefined } : { op_type: ops.change, source: 'command' as const }
  return { ...person, ...source, changes: [change, { field: 'dept_name', label: '班级', before: null, after }, effective] }
}

/** Spans that began, spans that ended for good, classes whose name the promotion changed under those who sat in them, and moves to another class, up to today, in one order for every installation. */
async function readSteps({ db, school_id, today }: Day): Promise<Step[]> {
  // Rows of this very transaction have no statistics yet: the planner expects a handful of them and would compare everybody with everybody.
  await sql`set local enable_nestloop = off`.execute(db)
  const { rows } = await sql<Step>`
    with place as (
      select m.user_id, m.dept_id, m.command_id, v.dept_name, greatest(m.valid_from, v.valid_from) as since, least(coalesce(m.valid_to, 'infinity'), coalesce(v.valid_to, 'infinity')) as until
      from dept_member m join dept_version v on v.school_id = m.school_id and v.dept_id = m.dept_id
        and v.valid_from < coalesce(m.valid_to, 'infinity') and m.valid_from < coalesce(v.valid_to, 'infinity')
      where m.school_id = ${school_id} and v.school_id = ${school_id} and m.member_kind = 'student'
    ), step as (
      select 'entered' as kind, t.open_kind as code, t.user_id, t.valid_from as day, p.dept_id, null as before, p.dept_name as after
      from student_span t left join place p on p.user_id = t.user_id and p.since <= t.valid_from and p.until > t.valid_from where t.school_id = ${school_id}
      union all
      select 'left', t.close_kind, t.user_id, t.valid_to, p.dept_id, p.dept_name, null
      from student_span t left join place p on p.user_id = t.user_id and p.until = t.valid_to where t.school_id = ${school_id} and t.close_kind in ('OUT', 'GRAD')
      union all
      select 'class', case when a.dept_id = b.dept_id or a.command_id is null then 'UPGRADE' else 'CLASS' end, b.user_id, a.since, a.dept_id, b.dept_name, a.dept_name from place b join place a on a.user_id = b.user_id and a.since = b.until and a.dept_name <> b.dept_name
    )
    select s.kind, s.code, s.user_id::text, n.student_no as user_no, u.user_name, s.day::text, s.dept_id::text, s.before, s.after
    from step s join student n on n.school_id = ${school_id} and n.user_id = s.user_id join school_user u on u.school_id = ${school_id} and u.user_id = s.user_id
    where s.day <= ${today}::date
    order by s.day, s.kind, n.student_no`.execute(db)
  await sql`set local enable_nestloop = on`.execute(db)
  return rows
}

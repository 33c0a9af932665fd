import type { IdentityViews } from '@campus/identity/server'
import type { change_kinds, change_states } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isIn, oneOf, validOn } from '../dated.ts'
import type { Db } from '../db.ts'
import type { DeptScope } from '../scope.ts'

/** Which commands, seen by whom. */
export type CommandFilter = {
  school_id: number
  scope: DeptScope
  today: string
  kind?: (typeof change_kinds)[number]
  state?: (typeof change_states)[number]
  user_id?: string
  from?: string
  to?: string
  /** condition on student `s` and person `p` */
  keyword?: RawBuilder<boolean>
  /** condition on staff `s` and person `p`; stands beside `keyword` */
  staff_keyword?: RawBuilder<boolean>
}

/** Was or is the person of subject `c` inside the scope: before the command, after it, or today? */
function subjectVisible({ school_id, scope, today }: Pick<CommandFilter, 'school_id' | 'scope' | 'today'>): RawBuilder<boolean> {
  if (scope === 'all') return sql<boolean>`true`
  const members = sql`
    select m.user_id from dept_member m
    where m.school_id = ${school_id} and ${validOn('m', today)} and ${oneOf('m.dept_id', scope)}`
  return sql<boolean>`(
    (c.before->>'dept_id')::bigint = any(${[...scope]}::bigint[]) or (c.after->>'dept_id')::bigint = any(${[...scope]}::bigint[])
    or ${isIn('c.user_id', members)})`
}

function commands(db: Db, filter: CommandFilter) {
  const { school_id, kind, state, user_id, from, to, keyword, staff_keyword = sql<boolean>`false` } = filter
  const subjects = sql<boolean>`exists (
    select from change_subject c where c.school_id = ${school_id} and c.command_id = change_command.id and ${subjectVisible(filter)}
      and ${user_id === undefined ? sql`true` : sql`c.user_id = ${user_id}`} and ${keyword === undefined ? sql`true` : subjectFits(school_id, keyword, staff_keyword)})`
  return db
    .selectFrom('change_command')
    .where('school_id', '=', school_id)
    .where(subjects)
    .$if(kind !== undefined, query => query.where('kind', '=', kind ?? ''))
    .$if(state !== undefined, query => query.where('state', '=', state ?? ''))
    .$if(from !== undefined, query => query.where('effective_on', '>=', from ?? ''))
    .$if(to !== undefined, query => query.where('effective_on', '<=', to ?? ''))
}

function subjectFits(school_id: number, keyword: RawBuilder<boolean>, staff_keyword: RawBuilder<boolean>): RawBuilder<boolean> {
  return isIn('c.user_id', sql`
    select s.user_id from staff s join person p on p.school_id = s.school_id and p.user_id = s.user_id
    where s.school_id = ${school_id} and p.school_id = ${school_id} and ${staff_keyword}
    union all
    select s.user_id from student s join person p on p.school_id = s.school_id and p.user_id = s.user_id
    where s.school_id = ${school_id} and p.school_id = ${school_id} and ${keyword}`)
}

export async function countCommands(db: Db, filter: CommandFilter): Promise<number> {
  const { total } = await commands(db, filter).select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return total
}

const command_columns = ['id', 'kind', 'state', 'effective_on', 'payload', 'subject_count', 'reason', 'created_by', 'created_at', 'applied_at', 'undo_until', 'undone_by', 'undo_reason'] as const

/** One page of the commands, the latest first. */
export function pageCommands(db: Db, filter: CommandFilter, { page_index, page_size }: { page_index: number; page_size: number }) {
  return commands(db, filter).select(command_columns).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(page_size).offset((page_index - 1) * page_size).execute()
}
export type CommandLine = Awaited<ReturnType<typeof pageCommands>>[number]

/** One command; undefined outside school or scope. */
export function visibleCommand(db: Db, filter: CommandFilter, id: string) {
  return commands(db, filter).select(command_columns).where('id', '=', id).executeTakeFirst()
}

/** Those people of these commands whom the reader may see, at most so many of each. */
export async function visibleSubjects(db: Db, filter: Pick<CommandFilter, 'school_id' | 'scope' | 'today'>, command_ids: readonly string[], most: number) {
  const { rows } = await sql<{ command_id: string; user_id: string; before: unknown; after: unknown }>`
    select command_id, user_id, before, after from (
      select c.command_id, c.user_id, c.before - 'rows' as before, c.after - 'rows' as after,
        row_number() over (partition by c.command_id order by c.user_id) as place
      from change_subject c
      where c.school_id = ${filter.school_id} and ${oneOf('c.command_id', command_ids)} and ${subjectVisible(filter)}) v
    where place <= ${most} order by command_id, place`.execute(db)
  return rows
}

/** Names and numbers of these people as they are now; who is gone altogether is absent. One table at a time: the planner knows little of them. */
export async function subjectNames(db: Db, school_id: number, user_ids: readonly string[]): Promise<Map<string, { user_name: string; user_no: string }>> {
  const ids = [...new Set(user_ids)]
  const labels = await db.selectFrom('person_label').select(['user_id', 'display_name']).where('school_id', '=', school_id).where(oneOf('user_id', ids)).execute()
  const pupils = await db.selectFrom('student').select(['user_id', 'student_no']).where('school_id', '=', school_id).where(oneOf('user_id', ids)).execute()
  const staff = await db.selectFrom('staff').select(['user_id', 'teacher_no']).where('school_id', '=', school_id).where(oneOf('user_id', ids)).execute()
  const numbers = new Map([...pupils.map(pupil => [pupil.user_id, pupil.student_no] as const), ...staff.map(one => [one.user_id, one.teacher_no] as const)])
  return new Map(labels.map(({ user_id, display_name }) => [user_id, { user_name: display_name, user_no: numbers.get(user_id) ?? '' }]))
}

/** Is this a person of the school, or was he, before a mistaken entry took him away? */
export async function wasSubject(db: Db, school_id: number, user_id: string): Promise<boolean> {
  const { rows } = await sql<{ is_known: boolean }>`
    select exists (select from person p where p.school_id = ${school_id} and p.user_id = ${user_id})
      or exists (select from change_subject c where c.school_id = ${school_id} and c.user_id = ${user_id}) as is_known`.execute(db)
  return rows[0]?.is_known ?? false
}

/** How the effects of these commands stand. */
export async function effectCounts(db: Db, school_id: number, command_ids: readonly string[]) {
  const rows = await db
    .selectFrom('change_effect')
    .select(['command_id', 'state', sql<number>`count(*)::int`.as('n')])
    .where('school_id', '=', school_id)
    .where(oneOf('command_id', command_ids))
    .groupBy(['command_id', 'state'])
    .execute()
  return Map.groupBy(rows, row => row.command_id)
}

/** Names of those who gave or took back commands; they need not be persons of the school. */
export async function actorNames(db: Db, school_id: number, user_ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await asTables<IdentityViews>(db)
    .selectFrom('school_user_v')
    .select(['user_id', 'user_name'])
    .where('school_id', '=', school_id)
    .where(oneOf('user_id', user_ids))
    .execute()
  return new Map(rows.map(row => [row.user_id, row.user_name]))
}

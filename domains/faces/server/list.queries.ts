import type { ConsentWord } from '@campus/faces/contract'
import { inScope } from '@campus/people/server'
import type { DeptScope } from '@campus/people/server'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db } from './db.ts'
import { pupils, staff } from './people.ts'
import type { Scopes } from './people.ts'

type Kind = { school_id: number; kind: number; scopes: Scopes }
export type ListFilter = Kind & {
  dept_id?: string | undefined; include_sub?: boolean | undefined
  /** path of the department when one is asked for */
  path?: string | undefined
  keyword?: string | undefined; state?: string | undefined; consent?: ConsentWord | undefined; todo?: 'any' | 'failed' | 'unverified' | 'alike' | 'refused' | 'face_only' | undefined
}
export type Row = {
  user_id: string; user_name: string; user_no: string; dept_id: string | null; dept_name: string | null
  face_state: number; consent: ConsentWord; devices_done: number; devices_total: number
}

/** People of a kind who may be seen, as `p` (user_id, user_name, user_no, dept_id, dept_name, sort). */
function people(filter: ListFilter): RawBuilder<unknown> {
  const { school_id, kind, scopes } = filter
  if (kind === pupils) {
    return sql`select s.user_id, s.user_name, s.student_no as user_no, s.dept_id, s.dept_name, s.grade || s.dept_name as sort
      from live_student s where s.school_id = ${school_id} and ${inScope('s.dept_id', scopes.student)} and ${inDept(filter, 's.dept_id')}`
  }
  if (kind === staff) {
    return sql`select s.user_id, s.user_name, s.teacher_no as user_no, s.primary_dept_id as dept_id, d.dept_name, coalesce(d.node_path, '') as sort
      from live_staff s left join dept_now d on d.school_id = ${school_id} and d.id = s.primary_dept_id
      where s.school_id = ${school_id} and ${inScope('s.primary_dept_id', scopes.staff)} and ${inDept(filter, 's.primary_dept_id')}`
  }
  const children = sql`select g.parent_user_id from guardian_span g join live_student s on s.school_id = ${school_id} and s.user_id = g.student_user_id
    where g.school_id = ${school_id} and g.valid_to is null and ${inScope('s.dept_id', scopes.student)} and ${inDept(filter, 's.dept_id')}`
  const any_child = scopes.student === 'all' && filter.path === undefined
  return sql`select l.user_id, l.user_name, coalesce('****' || right(l.mobile, 4), '') as user_no, null::bigint as dept_id, null::text as dept_name, '' as sort
    from live_parent l where l.school_id = ${school_id} and ${any_child ? sql`true` : sql`l.user_id in (${children})`}`
}

function inDept({ school_id, dept_id, path, include_sub }: ListFilter, column: string): RawBuilder<boolean> {
  if (dept_id === undefined || path === undefined) return sql<boolean>`true`
  if (include_sub === false) return sql<boolean>`${sql.ref(column)} = ${dept_id}`
  return sql<boolean>`${sql.ref(column)} in (select d.id from dept_now d where d.school_id = ${school_id} and d.node_path >= ${path} and d.node_path < left(${path}, -1) || '0')`
}

/** The people with their state and consent, as `r`. */
function rowsOf(filter: ListFilter): RawBuilder<unknown> {
  const { school_id } = filter
  return sql`
    select p.*, coalesce(v.face_state, 0)::int as face_state, coalesce(v.devices_done, 0)::int as devices_done, coalesce(v.devices_total, 0)::int as devices_total,
      case when c.state = 1 then 'given' when c.refused_at is not null then 'refused' when c.paper_file_key is not null then 'paper' when c.asked_at is not null then 'asked' else 'none' end as consent
    from (${people(filter)}) p
    left join faces_state_v v on v.school_id = ${school_id} and v.user_id = p.user_id
    left join face_consent c on c.school_id = ${school_id} and c.user_id = p.user_id`
}

function conditions({ school_id, keyword, state, consent, todo }: ListFilter): RawBuilder<unknown> {
  const candidates = (detect: RawBuilder<unknown>) => sql`select f.user_id from face f where f.school_id = ${school_id} and f.ended_at is null and f.current_from is null and ${detect}`
  const alike = sql`r.user_id in (select k.user_id from face_case k where k.school_id = ${school_id} and k.state = 0)`
  const todos = {
    failed: sql`r.user_id in (${candidates(sql`f.detect_state = 3`)})`, unverified: sql`r.user_id in (${candidates(sql`f.detect_state = 4`)})`, alike, refused: sql`r.face_state = 7`,
    // Somebody for whom a broken face reader is a closed gate (chapter 40 rule 42).
    face_only: sql`r.user_id in (select v.user_id from sync_person_v v where v.school_id = ${school_id} and v.kind = 'credential'
      and v.want_op = 'put' group by v.user_id having bool_and(coalesce(v.cred_kind, '') = 'face'))`,
    any: sql`(r.user_id in (${candidates(sql`true`)}) or r.face_state = 7)`,
  }
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (keyword !== undefined) all.push(sql`(${nameHas(nameKeyOf('r.user_name'), keyword)} or starts_with(r.user_no, ${keyword}))`)
  if (state !== undefined) all.push(sql`r.face_state = ${Number(state)}`)
  if (consent !== undefined) all.push(sql`r.consent = ${consent}`)
  if (todo !== undefined) all.push(todos[todo])
  return sql.join(all, sql` and `)
}

/** One page of people by class, then number. */
export async function pageFacePeople(db: Db, filter: ListFilter, { limit, offset }: { limit: number; offset: number }): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select r.user_id::text as user_id, r.user_name, r.user_no, r.dept_id::text as dept_id, r.dept_name, r.face_state, r.consent, r.devices_done, r.devices_total
    from (${rowsOf(filter)}) r where ${conditions(filter)} order by r.sort, r.user_no, r.user_id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** How many pass the filter. */
export async function countFacePeople(db: Db, filter: ListFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from (${rowsOf(filter)}) r where ${conditions(filter)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** Everybody of a kind who may be seen. */
export async function facePeopleIds(db: Db, filter: Kind): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`select p.user_id::text as user_id from (${people(filter)}) p order by p.user_id`.execute(db)
  return rows.map(row => row.user_id)
}

/** Of each class or department: its people, whose face works, whose waits for something. */
export async function faceProgress(db: Db, filter: Kind): Promise<{ dept_id: string; total: number; usable: number; waiting: number }[]> {
  const { rows } = await sql<{ dept_id: string; total: number; usable: number; waiting: number }>`
    select r.dept_id::text as dept_id, count(*)::int as total, (count(*) filter (where r.face_state in (5, 6)))::int as usable, (count(*) filter (where r.face_state in (1, 3, 4, 7)))::int as waiting
    from (${rowsOf(filter)}) r where r.dept_id is not null group by r.dept_id`.execute(db)
  return rows
}

/** People found by what a file is called: by number, or by name where only one has it. Both as they stand on the roll. */
export async function peopleByName(db: Db, filter: Kind, words: readonly string[]): Promise<{ word: string; user_id: string; user_name: string; by_number: boolean }[]> {
  const { rows } = await sql<{ word: string; user_id: string; user_name: string; by_number: boolean }>`
    select w.word, p.user_id::text as user_id, p.user_name, p.user_no = w.word as by_number
    from unnest(${[...words]}::text[]) as w(word) join (${people(filter)}) p on p.user_no = w.word or p.user_name = w.word`.execute(db)
  return rows
}

/** The children of parents as far as they may be seen: 张三（一年级1班）、… */
export async function childrenNames(db: Db, school_id: number, parent_ids: readonly string[], scope: DeptScope): Promise<Map<string, string>> {
  const { rows } = await sql<{ parent_user_id: string; names: string }>`
    select g.parent_user_id::text as parent_user_id, string_agg(s.user_name || '（' || s.dept_name || '）', '、' order by s.student_no) as names
    from guardian_span g join live_student s on s.school_id = ${school_id} and s.user_id = g.student_user_id
    where g.school_id = ${school_id} and g.valid_to is null and g.parent_user_id = any(${[...parent_ids]}::bigint[]) and ${inScope('s.dept_id', scope)}
    group by g.parent_user_id`.execute(db)
  return new Map(rows.map(row => [row.parent_user_id, row.names]))
}

import { createHash } from 'node:crypto'
import { target } from '@campus/publishing/contract'
import type { AudienceLine } from '@campus/publishing/contract'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { holdsRule, memberIds } from '../crowd/crowd.queries.ts'
import type { Db, Work } from '../db.ts'
import { deptsBelow } from '../depts.ts'

/** One reader of a post; `user_id` 0: a pupil of whom no parent is known. */
export type Reader = { user_id: string; subject_user_id: string; role: number; dept_id: string | null; dept_name: string | null; relation: string | null; is_primary: boolean; has_account: boolean }
export type Asked = { scene: number; receivers: number; audience: readonly AudienceLine[] }

const [pupils_and_parents, only_parents, only_pupils] = [1, 2, 3] as const
export const unbound = '0'
const exclude = 2

/**
 * Who a post goes to now (chapter 60 rule 1): included departments, crowds, labels and people, minus the excluded ones, each reader once for each pupil.
 * @throws Refusal 404 when a line names nothing of this school
 */
export async function resolveAudience(work: Pick<Work, 'db' | 'school_id'>, asked: Asked): Promise<Reader[]> {
  const lines = asked.audience
  const included = lines.filter(line => line.mode !== exclude)
  if (included.length === 0) return []
  const [inside, outside] = [await conditionOf(work, asked.scene, included), await conditionOf(work, asked.scene, lines.filter(line => line.mode === exclude))]
  const which = sql`(${inside}) and not (${outside})`
  return asked.scene === 1 ? readFamilies(work, asked.receivers, which) : readStaff(work, which)
}

async function readFamilies({ db, school_id }: Pick<Work, 'db' | 'school_id'>, receivers: number, which: RawBuilder<unknown>): Promise<Reader[]> {
  const own = sql`select s.user_id, s.user_id as subject_user_id, 1 as role, s.dept_id, s.dept_name, null::text as relation, false as is_primary
    from live_student s where s.school_id = ${school_id} and ${which}`
  const parents = sql`select coalesce(g.parent_user_id, 0) as user_id, s.user_id as subject_user_id, 2 as role, s.dept_id, s.dept_name, g.relation, coalesce(g.is_first, false) as is_primary
    from live_student s left join guardian_span g on g.school_id = s.school_id and g.student_user_id = s.user_id and g.valid_from <= (now() at time zone 'Asia/Shanghai')::date
      and (g.valid_to is null or g.valid_to > (now() at time zone 'Asia/Shanghai')::date)
    where s.school_id = ${school_id} and ${which}`
  const all = receivers === only_parents ? parents : receivers === only_pupils ? own : receivers === pupils_and_parents ? sql`${own} union all ${parents}` : own
  return read(db, school_id, all)
}

function readStaff({ db, school_id }: Pick<Work, 'db' | 'school_id'>, which: RawBuilder<unknown>): Promise<Reader[]> {
  return read(db, school_id, sql`select s.user_id, s.user_id as subject_user_id, 3 as role, s.primary_dept_id as dept_id, d.dept_name, null::text as relation, false as is_primary
    from live_staff s left join dept_now d on d.school_id = ${school_id} and d.id = s.primary_dept_id where s.school_id = ${school_id} and ${which}`)
}

async function read(db: Db, school_id: number, all: RawBuilder<unknown>): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select a.user_id::text as user_id, a.subject_user_id::text as subject_user_id, a.role::int as role, a.dept_id::text as dept_id, a.dept_name, a.relation, a.is_primary, u.user_id is not null as has_account
    from (${all}) a left join (select distinct v.user_id from school_user_v v where v.school_id = ${school_id}) u on u.user_id = a.user_id
    order by a.dept_id, a.subject_user_id, a.role, a.user_id`.execute(db)
  return rows
}

/** The condition on `s` (live_student or live_staff) that one of the lines holds. */
async function conditionOf(work: Pick<Work, 'db' | 'school_id'>, scene: number, lines: readonly AudienceLine[]): Promise<RawBuilder<unknown>> {
  const idsOf = (type: number) => lines.filter(line => line.target_type === type).map(line => line.target_id)
  const parts: RawBuilder<unknown>[] = [sql`false`]
  const depts = await deptsBelow(work, idsOf(target.dept))
  if (depts.length > 0) parts.push(scene === 1 ? sql`s.dept_id = any(${depts}::bigint[])` : sql`s.dept_ids && ${depts}::bigint[]`)
  const people = idsOf(target.person)
  if (people.length > 0) parts.push(sql`s.user_id = any(${people}::bigint[])`)
  const tags = idsOf(target.tag)
  if (tags.length > 0) parts.push(sql`s.user_id in (select t.user_id from person_tag_now t where t.school_id = ${work.school_id} and t.tag_id = any(${tags}::bigint[]))`)
  for (const crowd_id of idsOf(target.crowd)) parts.push(await crowdCondition(work, scene, crowd_id))
  return sql.join(parts, sql` or `)
}

async function crowdCondition(work: Pick<Work, 'db' | 'school_id'>, scene: number, crowd_id: string): Promise<RawBuilder<unknown>> {
  const crowd = await work.db.selectFrom('publishing_crowd').select(['rule', 'scene']).where('school_id', '=', work.school_id).where('crowd_id', '=', crowd_id).executeTakeFirst()
  if (!crowd || crowd.scene !== scene) throw fail(commonErrors.notFound)
  const rule = await holdsRule(work, scene, crowd.rule)
  return sql`((${rule} or s.user_id in (${memberIds(work.school_id, crowd_id, 1)})) and s.user_id not in (${memberIds(work.school_id, crowd_id, 2)}))`
}

/** Units of a set: a pupil, a member of staff, and the family of a pupil once (chapter 60 rule 4). */
export function unitsOf(readers: readonly Reader[]): number {
  return new Set(readers.map(one => (one.role === 2 ? `f${one.subject_user_id}` : `p${one.user_id}`))).size
}

/** Names a set; the day in front says of when it is. */
export function hashOf(day: string, readers: readonly Reader[]): string {
  const lines = readers.map(one => `${one.user_id}:${one.subject_user_id}:${one.role}`).toSorted()
  return `${day.replaceAll('-', '')}-${createHash('sha256').update(lines.join('\n')).digest('hex')}`
}

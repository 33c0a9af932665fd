import { peopleErrors } from '@campus/people/contract'
import type { MergeKind, MergePerson } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import { maskMobile } from '@kit/contract/checks'
import { sql } from 'kysely'
import { oneOf } from '../dated.ts'
import type { Db, PeopleCtx } from '../db.ts'
import { labelsOn } from '../dept.service.ts'
import { seenBy } from '../tag.service.ts'
import { visiblePeople } from '../tag.queries.ts'

/** One of the two with what kind of people he is here. */
type Side = { user_id: string; is_student: boolean; is_staff: boolean; is_here: boolean }

/** What merging these two is called. @throws Refusal 422 mergeKind, mergeStaffFirst, mergeSelf */
function kindOf(keep: Side, drop: Side): MergeKind {
  if (keep.user_id === drop.user_id) throw fail(peopleErrors.mergeSelf)
  if (keep.is_student !== drop.is_student || (keep.is_student && keep.is_staff !== drop.is_staff)) throw fail(peopleErrors.mergeKind)
  if (keep.is_student) return 'student'
  if (keep.is_staff && drop.is_staff) return 'teacher'
  if (drop.is_staff) throw fail(peopleErrors.mergeStaffFirst)
  return 'parent'
}

/** Living people of the school among these two, in the order asked for. @throws Refusal 404 when one of them is not of this school, merged or deleted */
async function readSides(db: Db, school_id: number, user_ids: readonly [string, string]): Promise<{ keep: Side; drop: Side }> {
  const { rows } = await sql<Side>`
    select p.user_id, s.user_id is not null as is_student, f.user_id is not null as is_staff,
      exists (select from live_person l where l.school_id = ${school_id} and l.user_id = p.user_id)
        or exists (select from kept_student l where l.school_id = ${school_id} and l.user_id = p.user_id) as is_here
    from person p left join student s on s.school_id = p.school_id and s.user_id = p.user_id left join staff f on f.school_id = p.school_id and f.user_id = p.user_id
    where p.school_id = ${school_id} and p.status = 'live' and ${oneOf('p.user_id', user_ids)}`.execute(db)
  const [keep, drop] = user_ids.map(id => rows.find(row => row.user_id === id))
  if (!keep || !drop) throw fail(commonErrors.notFound)
  return { keep, drop }
}

/**
 * The two people, if the reader may see both.
 * @throws Refusal 404 for anybody outside school or scope, 409 mergeAway when one of them has left
 */
export async function requirePair(ctx: PeopleCtx, keep_user_id: string, drop_user_id: string): Promise<{ kind: MergeKind; can_swap: boolean }> {
  const sides = await readSides(ctx.db, ctx.school_id, [keep_user_id, drop_user_id])
  await requireSeen(ctx, [keep_user_id, drop_user_id])
  const kind = kindOf(sides.keep, sides.drop)
  if (!sides.keep.is_here || !sides.drop.is_here) throw fail(peopleErrors.mergeAway)
  return { kind, can_swap: sides.keep.is_staff === sides.drop.is_staff }
}

/** @throws Refusal 404 when the reader's departments hold one of them not */
export async function requireSeen(ctx: PeopleCtx, user_ids: readonly string[]): Promise<void> {
  const seen = await seenBy(ctx)
  if (seen.student === 'all' && seen.staff === 'all') return
  const here = new Set((await visiblePeople(ctx.db, seen, user_ids)).map(person => person.user_id))
  if (user_ids.some(id => !here.has(id))) throw fail(commonErrors.notFound)
}

type Row = { user_id: string; user_name: string; user_no: string; person_kind: number; mobile: string | null; birthday: string | null; dept_id: string | null; children: string | null }

/** People as two columns of the page show them: number, class or department or children, masked mobile; merged ones too. */
export async function describePeople(ctx: Pick<PeopleCtx, 'db' | 'school_id' | 'me'>, user_ids: readonly string[], on: string): Promise<Map<string, MergePerson>> {
  const { db, school_id } = ctx
  const holds = (alias: string) => sql`(${sql.ref(`${alias}.valid_from`)} <= ${on}::date and (${sql.ref(`${alias}.valid_to`)} is null or ${sql.ref(`${alias}.valid_to`)} > ${on}::date))`
  const { rows } = await sql<Row>`
    select p.user_id, p.user_name, coalesce(s.student_no, f.teacher_no, '') as user_no, p.mobile, p.birthday::text,
      case when s.user_id is not null then 1 when f.user_id is not null then 2 else 3 end as person_kind,
      (select m.dept_id from dept_member m where m.school_id = ${school_id} and m.user_id = p.user_id and m.is_primary and ${holds('m')} limit 1) as dept_id,
      (select string_agg(c.user_name, '、' order by c.user_name) from guardian_link g join person c on c.school_id = g.school_id and c.user_id = g.student_user_id
        where g.school_id = ${school_id} and c.school_id = ${school_id} and g.parent_user_id = p.user_id and ${holds('g')}) as children
    from person p left join student s on s.school_id = p.school_id and s.user_id = p.user_id left join staff f on f.school_id = p.school_id and f.user_id = p.user_id
    where p.school_id = ${school_id} and ${oneOf('p.user_id', user_ids)}`.execute(db)
  const labels = await labelsOn(ctx, rows.flatMap(row => row.dept_id ?? []), on)
  return new Map(rows.map(({ dept_id, children, mobile, ...person }) => {
    const label = person.person_kind === 3 ? (children === null ? '' : `孩子：${children}`) : (labels.get(dept_id ?? '') ?? '')
    return [person.user_id, { ...person, label, mobile: mobile === null ? null : maskMobile(mobile) }]
  }))
}

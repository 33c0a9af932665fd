import { TagMark } from '@campus/people/contract'
import type { personPageApi, PersonHead, Relative } from '@campus/people/contract'
import type { Input } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { validOn } from '../dated.ts'
import { addDays, schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { labelsOn } from '../dept.service.ts'
import { photoUrl } from '../photo/photo-url.ts'
import { deptScope } from '../scope.ts'
import { marksOf } from '../tag.queries.ts'
import { shownTags, tagsOf } from '../student.tags.ts'
import { pupilsIn, seenPerson } from './seen-person.ts'

const suspended = '02'
/** How long before its end a suspension is warned of, days. */
const soon = 30

/** Who somebody is. @throws Refusal 404 for a person the reader may not see */
export async function readHead(ctx: PeopleCtx, { id }: Input<typeof personPageApi.head>): Promise<PersonHead> {
  const today = schoolDay(ctx.now)
  const { user_id, user_name, photo_file_key, facets } = await seenPerson(ctx, id)
  const scope = await deptScope(ctx, 'student', today)
  const pupil = facets.find(({ facet, left_on }) => facet === 'student' && left_on === null)
  const is = (name: string) => facets.some(({ facet, left_on }) => facet === name && left_on === null)
  const guardians = pupil ? await relatives(ctx, today, 'parent', sql`g.student_user_id = ${id}`) : []
  const children = is('parent') ? await relatives(ctx, today, 'student', sql`g.parent_user_id = ${id} and g.student_user_id in (${pupilsIn(ctx.school_id, scope, today)})`) : []
  const siblings = pupil ? await siblingsOf(ctx, today, id, pupilsIn(ctx.school_id, scope, today)) : []
  const by_hand = await tagMarks(ctx, id, today, pupil !== undefined)
  return { user_id, user_name, photo_url: photoUrl(ctx, photo_file_key), facets, tags: by_hand, duties: is('staff') ? await dutiesOf(ctx, id, today) : [], guardians, children, siblings, warnings: pupil ? warningsOf(pupil, guardians, today) : [] }
}

function warningsOf({ state, state_until }: PersonHead['facets'][number], guardians: readonly Relative[], today: string): PersonHead['warnings'] {
  const warnings: PersonHead['warnings'] = guardians.some(one => one.is_guardian) ? [] : ['no_guardian']
  if (state !== suspended || state_until === null) return warnings
  if (state_until < today) return [...warnings, 'suspend_over']
  return state_until <= addDays(today, soon) ? [...warnings, 'suspend_due'] : warnings
}

async function tagMarks(ctx: PeopleCtx, id: string, today: string, is_pupil: boolean): Promise<PersonHead['tags']> {
  if (is_pupil) return (await tagsOf(ctx, [id], today)).get(id) ?? []
  const held = (await marksOf(ctx.db, ctx.school_id, [id], today)).map(mark => mark.id)
  return (await shownTags(ctx)).filter(tag => tag.kind === 'manual' && held.includes(tag.id)).map(({ id: tag_id, tag_name, color }) => TagMark.parse({ id: tag_id, tag_name, color }))
}

type Line = Omit<Relative, 'label'> & { dept_id: string | null }

async function relatives(ctx: PeopleCtx, today: string, which: 'parent' | 'student', links: RawBuilder<unknown>): Promise<Relative[]> {
  const { db, school_id } = ctx
  const other = sql.ref(which === 'parent' ? 'g.parent_user_id' : 'g.student_user_id')
  const { rows } = await sql<Line>`
    select p.user_id, p.user_name, g.relation, g.is_first, g.is_guardian, g.can_pickup, m.dept_id
    from guardian_link g join person p on p.school_id = g.school_id and p.user_id = ${other}
    left join dept_member m on m.school_id = ${school_id} and m.user_id = p.user_id and m.member_kind = 'student' and ${validOn('m', today)}
    where g.school_id = ${school_id} and p.school_id = ${school_id} and p.status = 'live' and ${validOn('g', today)} and ${links}
    order by g.is_first desc, g.order_no, g.id`.execute(db)
  return labelled(ctx, rows, today)
}

async function siblingsOf(ctx: PeopleCtx, today: string, id: string, visible: RawBuilder<unknown>): Promise<Relative[]> {
  const { db, school_id } = ctx
  const { rows } = await sql<Line>`
    select distinct p.user_id, p.user_name, '' as relation, false as is_first, false as is_guardian, false as can_pickup, m.dept_id
    from guardian_link g join guardian_link o on o.school_id = g.school_id and o.parent_user_id = g.parent_user_id and o.student_user_id <> g.student_user_id
    join person p on p.school_id = o.school_id and p.user_id = o.student_user_id
    left join dept_member m on m.school_id = ${school_id} and m.user_id = p.user_id and m.member_kind = 'student' and ${validOn('m', today)}
    where g.school_id = ${school_id} and o.school_id = ${school_id} and p.school_id = ${school_id} and p.status = 'live' and g.student_user_id = ${id}
      and ${validOn('g', today)} and ${validOn('o', today)} and o.student_user_id in (${visible})
    order by p.user_id`.execute(db)
  return labelled(ctx, rows, today)
}

async function labelled(ctx: PeopleCtx, rows: readonly Line[], today: string): Promise<Relative[]> {
  const labels = await labelsOn(ctx, rows.flatMap(row => row.dept_id ?? []), today)
  return rows.map(({ dept_id, ...row }) => ({ ...row, label: dept_id === null ? null : (labels.get(dept_id) ?? null) }))
}

async function dutiesOf(ctx: PeopleCtx, id: string, today: string): Promise<PersonHead['duties']> {
  const duties = await ctx.db.selectFrom('dept_duty as d').select(['d.duty', 'd.dept_id']).where('d.school_id', '=', ctx.school_id).where('d.user_id', '=', id).where(validOn('d', today)).orderBy('d.id').execute()
  const labels = await labelsOn(ctx, duties.map(one => one.dept_id), today)
  return duties.map(({ duty, dept_id }) => ({ duty, dept_name: labels.get(dept_id) ?? '' }))
}

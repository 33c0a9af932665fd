import { selfScope } from '@campus/people/server'
import type { lessonApi } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { TeachingCtx } from '../db.ts'
import { teacherNames } from '../plan/plan.queries.ts'
import { readDayLessons } from './lesson.service.ts'

const [moved_away, cancelled] = [4, 5] as const

/**
 * The lessons of dates as they really are for me or one of my children, and those I teach; what falls out is shown as that, what has moved
 * away is not. @throws Refusal 404 for somebody else
 */
export async function readMine(ctx: TeachingCtx,
  { from, to, user_id }: Input<typeof lessonApi.mine>): Promise<Reply<typeof lessonApi.mine>> {
  const { db, school_id, me } = ctx
  const ids = [...new Set([me.user_id, ...(await selfScope(ctx))])]
  if (user_id !== undefined && !ids.includes(user_id)) throw fail(commonErrors.notFound)
  const pupils = await db.selectFrom('live_student').select('user_id').where('school_id', '=', school_id).where('user_id', 'in', ids)
    .orderBy('user_id').execute()
  const shown = user_id ?? pupils[0]?.user_id ?? me.user_id
  const names = await teacherNames(db, school_id, ids)
  const people = ids.flatMap(id => (names.has(id) && (id !== me.user_id || pupils.length === 0 || pupils.some(one => one.user_id === id))
    ? [{ user_id: id, user_name: names.get(id) ?? '' }] : []))
  const list = await readDayLessons(db, school_id, sql`d.date between ${from}::date and ${to}::date and d.state <> ${moved_away} and (
    ${shown}::bigint = any(d.teacher_ids) or d.class_id in (select m.class_id from teaching_class_member_v m where m.school_id = ${school_id} and m.user_id = ${shown}
      and m.valid_from <= d.date and (m.valid_to is null or m.valid_to > d.date)))`)
  return { user_id: shown, user_name: names.get(shown) ?? '', people, list: list.toSorted((a, b) => a.begin_at.localeCompare(b.begin_at)
    || Number(a.state === cancelled) - Number(b.state === cancelled)) }
}

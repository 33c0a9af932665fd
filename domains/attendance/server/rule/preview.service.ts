import type { arrangeApi, Expectation, WeekCell } from '@campus/attendance/contract'
import { addDays, mondayOf } from '@campus/calendar/contract'
import { deptScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { sql } from 'kysely'
import type { AttendanceCtx } from '../db.ts'
import { judgeDay } from '../judge/judge.ts'
import type { Verdict } from '../judge/types.ts'
import { assemble } from '../recompute/assemble.ts'
import type { Assembled } from '../recompute/assemble.ts'
import { shardsOf } from '../recompute/people.ts'
import { readPlaces } from '../recompute/places.ts'
import { pickArrange, readInForce } from '../recompute/rules.ts'
import type { InForce } from '../recompute/rules.ts'
import { scopeNames } from './scope.ts'

type Lesson = { date: string; weekday: number; section: number; subject: string; course_id: string; class_id: string; place_id: string | null }
const [student, week_days] = [1, 7] as const

/**
 * The lessons of a class in a week, painted by the arrange that decides: none, and rooms without a device, stand out. @throws Refusal 404
 */
export async function classWeek(ctx: AttendanceCtx, { dept_id, date }: Input<typeof arrangeApi.week>): Promise<{ list: WeekCell[] }> {
  const { db, school_id } = ctx
  await refuseDept(ctx, dept_id)
  const monday = mondayOf(date)
  const dept = await db.selectFrom('dept_now').select(['parent_id', 'stage']).where('school_id', '=', school_id).where('id', '=', dept_id)
    .executeTakeFirst()
  if (!dept) throw fail(commonErrors.notFound)
  const { rows } = await sql<Lesson>`
    select d.date::text as date, d.weekday::int as weekday, d.section::int as section, coalesce(i.name, '课程') as subject,
      d.course_id::text as course_id, d.class_id::text as class_id, d.place_id::text as place_id
    from lesson_day_v d left join dictionary_v i on i.school_id = ${school_id} and i.sc_code_type = 'SUBJECT' and i.sc_code_item = d.subject
    where d.school_id = ${school_id} and d.date between ${monday}::date and ${addDays(monday, week_days - 1)}::date
      and d.dept_id = ${dept_id} and d.state not in (4, 5) order by d.date, d.section`.execute(db)
  const list: WeekCell[] = []
  for (const [day, lessons] of Map.groupBy(rows, row => row.date)) {
    const arranges = (await readInForce(db, school_id, day)).filter(one => one.person_kind === student && one.kind === 'course')
    const places = await readPlaces(db, school_id, day)
    for (const { weekday, section, subject, ...of } of lessons) {
      const arrange = pickArrange(arranges, { user_id: '', dept_id, grade_dept_id: dept.parent_id, stage: dept.stage, section, ...of })
      const place = places.of(of.place_id)
      list.push({
        weekday, section, title: subject, place_name: place?.name ?? null, rule_id: arrange?.ref.split('/')[0] ?? null, rule_name: arrange?.rule_name ?? null, arrange_name: arrange?.arrange_name ?? null,
        points: places.pointsFor(place, arrange?.body.place_match ?? 1, 'lesson').length,
      })
    }
  }
  return { list }
}

/** What one person is expected to do on a date, with the rule of each and where it comes from. @throws Refusal 404 */
export async function personPreview(
  ctx: AttendanceCtx, { date, user_id }: Input<typeof arrangeApi.preview>,
): Promise<{ list: Expectation[] }> {
  const { db, school_id, now } = ctx
  const person = await db.selectFrom('live_person').select(['label_dept_id', 'person_kind']).where('school_id', '=', school_id)
    .where('user_id', '=', user_id).where('person_kind', 'in', [1, 2, 6]).executeTakeFirst()
  const scope = await deptScope(ctx, person?.person_kind === student ? 'student' : 'staff')
  if (!person || (scope !== 'all' && (person.label_dept_id === null || !scope.includes(person.label_dept_id)))) throw fail(commonErrors.notFound)
  const arranges = await readInForce(db, school_id, date)
  const names = await scopeNames(db, school_id, arranges)
  const list: Expectation[] = []
  for (const shard of await shardsOf(db, school_id, date, [user_id])) {
    const days = await assemble(db, school_id, { date, shard, user_id }, now.getTime())
    list.push(...days.flatMap(one => judgeDay(one.day).flatMap(verdict => expectationOf(one, verdict, { arranges, names }))))
  }
  return { list }
}

type Known = { arranges: readonly InForce[]; names: (of: InForce) => string }

function expectationOf({ day, expected }: Assembled, verdict: Verdict, { arranges, names }: Known): Expectation[] {
  const isSame = (one: { expect_kind: number; occurrence_id: string }) => one.expect_kind === verdict.expect_kind &&
    one.occurrence_id === verdict.occurrence_id
  const [of, one] = [day.expectations.find(isSame), expected.find(isSame)]
  if (!of || !one) return []
  const of_courses = arranges.filter(each => each.kind === 'course' && each.person_kind === one.person_kind)
  const found = one.arrange_id === null ? pickArrange(of_courses, one) : (arranges.find(each => each.arrange_id === one.arrange_id) ?? null)
  return [{
    expect_kind: of.expect_kind, occurrence_id: of.occurrence_id, title: of.title, begin: new Date(of.begin).toISOString(), end: new Date(of.end).toISOString(),
    place_name: of.place?.name ?? null, rule_name: found?.rule_name ?? null, arrange_name: found?.arrange_name ?? null,
    why: found ? `规则“${found.rule_name}”来自 ${names(found)}·${found.arrange_name}` : '没有考勤安排覆盖此节，不计考勤',
    points: of.points.length, exempt: of.exempt, state: verdict.state, sentence: verdict.sentence,
  }]
}

async function refuseDept(ctx: AttendanceCtx, dept_id: string): Promise<void> {
  const scope = await deptScope(ctx, 'student')
  if (scope !== 'all' && !scope.includes(dept_id)) throw fail(commonErrors.notFound)
}

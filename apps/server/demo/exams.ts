import { addDays, weekdayOf } from '@campus/calendar/contract'
import type { CalendarViews } from '@campus/calendar/server'
import { createExam } from '@campus/exams/server'
import type { PlannedExam } from '@campus/exams/server'
import type { PeopleViews } from '@campus/people/server'
import type { PlacesViews } from '@campus/places/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import source from './data/lessons.json' with { type: 'json' }
import school from './data/school.json' with { type: 'json' }
import type { Work } from './school-work.ts'

type Paper = PlannedExam['papers'][number]
const [seed, grade, class_type, spare_rooms, seats_a_room, friday] = [900_001, '31', 4, 2, 29, 5] as const
const majors: readonly string[] = ['语文', '数学', '英语']

/** Two exams of the first senior grade: the mid-term with scores and figures, and a monthly exam that is being planned (chapter 55 §8). */
export async function fillExams({ db, school_id, today, now }: Work): Promise<void> {
  const terms = await asTables<CalendarViews>(db).selectFrom('semester_v').select(['semester_id', 'begin_date', 'end_date', 'name']).where('school_id', '=', school_id).orderBy('begin_date').execute()
  const term = terms.findLast(one => one.begin_date <= today)
  const classes = await asTables<PeopleViews>(db).selectFrom('dept_now').select(['id', 'class_no']).where('school_id', '=', school_id).where('grade', '=', grade).where('dept_type', '=', class_type).orderBy('class_no').execute()
  const pupils = await asTables<PeopleViews>(db).selectFrom('live_student').select(eb => eb.fn.countAll<number>().as('n')).where('school_id', '=', school_id).where('grade', '=', grade).executeTakeFirstOrThrow()
  const staff = await asTables<PeopleViews>(db).selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).orderBy('teacher_no').limit(1).executeTakeFirst()
  if (!term || classes.length === 0 || !staff) return
  const { rows } = await sql<{ place_id: string }>`
    select place_id::text as place_id from place_live_v where school_id = ${school_id} and place_kind = 4 and is_leaf and (capacity is null or capacity >= 30)
    order by node_path limit ${Math.ceil(Number(pupils.n) / seats_a_room) + spare_rooms}`.execute(asTables<PlacesViews>(db))
  const common = { semester_id: term.semester_id, grade, place_ids: rows.map(row => row.place_id), papers: papersOf(classes), seed, by: staff.user_id }
  const held = workdaysFrom(addDays(today, -14) < term.begin_date ? term.begin_date : addDays(today, -14), 3)
  const coming = workdaysFrom(addDays(today, 10), 3)
  await createExam({ db, school_id, now }, { ...common, exam_name: `高一${term.name}期中考试`.slice(-50), exam_kind: '20', begin_date: held[0] ?? today, days: held, held: true })
  if ((coming.at(-1) ?? '') <= term.end_date) await createExam({ db, school_id, now }, { ...common, exam_name: '高一12月月考', exam_kind: '13', begin_date: coming[0] ?? today, days: coming, held: false })
}

/** Three main subjects for all, the chosen ones for the classes that have chosen them. */
function papersOf(classes: readonly { id: string; class_no: number | null }[]): Paper[] {
  const combos: Readonly<Record<string, string[]>> = source.combos
  const subjects = [...majors, ...new Set(classes.flatMap(one => combos[String(one.class_no)] ?? []))]
  return subjects.map((name): Paper => {
    const is_major = majors.includes(name)
    const dept_ids = is_major ? [] : classes.filter(one => combos[String(one.class_no)]?.includes(name)).map(one => one.id)
    const is_assigned = !is_major && name !== '物理' && name !== '历史'
    return { subject: school.subjects.find(one => one.name === name)?.code ?? '66', full_score: is_major ? 150 : 100, minutes: is_major ? 120 : 75, assign: is_assigned ? '3+1+2' : 'none', dept_ids }
  })
}

function workdaysFrom(day: string, count: number): string[] {
  const days: string[] = []
  for (let next = day; days.length < count; next = addDays(next, 1)) if (weekdayOf(next) <= friday) days.push(next)
  return days
}

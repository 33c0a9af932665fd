import { grade_codes } from '@campus/calendar/contract'
import type { CalendarViews } from '@campus/calendar/server'
import type { PeopleViews } from '@campus/people/server'
import type { PlacesViews } from '@campus/places/server'
import { createTeaching } from '@campus/teaching/server'
import type { PlannedTeaching, TeachingPlan } from '@campus/teaching/server'
import { asTables } from '@kit/server/db'
import source from './data/lessons.json' with { type: 'json' }
import school from './data/school.json' with { type: 'json' }
import { idOf } from './school-work.ts'
import type { Ids, Work } from './school-work.ts'
import type { PlannedStaff } from './staff.ts'
import { planWalking, walking_classes } from './walking.ts'
import type { Choose } from './walking.ts'

type Class = { id: string; grade: string; stage: string; class_no: number }
type Teacher = { user_id: string; subject: string; stage: string; load: number }
type Hours = Readonly<Record<string, number>>

const class_type = 4
/** Moves after which the search for the demo's timetable gives up; it ends as soon as nothing clashes. */
const most_moves = 3_000_000
const [seed, open_lessons] = [900_001, 12] as const
const [senior_stage, rooms_of_grade] = ['3', 5] as const
/** What a home class has while each of its pupils would need other lessons. */
const school_course = '校本课程'
/** In these classes of the first senior grade the two technologies share a cell: one in odd weeks, the other in even ones. */
const alternating = { grade: '31', classes: 6, odd: '信息技术', even: '通用技术' } as const
const no_teacher: readonly string[] = ['班会(团队活动)', '综合实践活动', '书法', '校本课程', '劳动']

/** Courses of the twelve grades, who teaches them in every class, and the timetable of the running term (chapter 50 §8). */
export async function fillTeaching(work: Work, staff: readonly PlannedStaff[], staff_ids: Ids): Promise<void> {
  const { db, school_id, today } = work
  const terms = await asTables<CalendarViews>(db).selectFrom('semester_v').select(['semester_id', 'begin_date', 'name']).where('school_id', '=', school_id).orderBy('begin_date').execute()
  const term = terms.findLast(one => one.begin_date <= today) ?? terms[0]
  if (!term) return
  const rows = await asTables<PeopleViews>(db).selectFrom('dept_now').select(['id', 'grade', 'stage', 'class_no']).where('school_id', '=', school_id).where('dept_type', '=', class_type).orderBy('grade').orderBy('class_no').execute()
  const classes = rows.flatMap(({ id, grade, stage, class_no }): Class[] => (grade === null || stage === null || class_no === null ? [] : [{ id, grade, stage, class_no }]))
  const teachers = staff.flatMap(({ key, teaches }): Teacher[] => (teaches ? [{ user_id: idOf(staff_ids, key), subject: teaches.subject_name, stage: teaches.stage, load: 0 }] : []))
  const teaching = planTeaching(classes, teachers)
  const seniors = await planSeniors(work, teachers)
  await createTeaching(work, { semester_id: term.semester_id, timetable: `${term.name}课表`, seed, moves: most_moves, open: open_lessons,
    courses: courses(),
    teaching, walking: { timetable: `${term.name}走班课表`, classes: seniors.classes }, combos: seniors.combos })
}

/** Walking classes of the two grades that have chosen, and the three subjects of all their pupils. */
async function planSeniors({ db, school_id }: Work, teachers: readonly Teacher[]): Promise<Pick<ReturnType<typeof planWalking>,
  'classes' | 'combos'>> {
  const rooms = await asTables<PlacesViews>(db).selectFrom('place_live_v').select('place_id').where('school_id', '=', school_id)
    .where('place_name', 'like', '走班教室%').orderBy('place_id').execute()
  const pupils = await asTables<PeopleViews>(db).selectFrom('live_student as s').innerJoin('dept_now as d', on => on.onRef('d.id', '=',
    's.dept_id')
    .on('d.school_id', '=', school_id)).select(['s.user_id', 's.grade', 'd.class_no']).where('s.school_id', '=', school_id)
    .where('s.grade', 'in', Object.keys(source.seniors)).orderBy('s.student_no').execute()
  const choose: Choose = (subject, weekly) => {
    const [chosen] = teachers.filter(one => one.subject === subject && one.stage === senior_stage).toSorted((a, b) => a.load - b.load)
    if (chosen) chosen.load += weekly
    return { course_no: courseNo(subject), teacher_ids: chosen ? [chosen.user_id] : [] }
  }
  const planned = Object.entries(source.seniors).map(([grade, hours], at) => {
    const own = pupils.flatMap(({ user_id, grade: of, class_no }) => (of === grade && class_no !== null ? [{ user_id, class_no }] : []))
    const walk = planWalking(grade, own.filter(one => walking_classes.second.includes(one.class_no)), { hours, choose,
      rooms: rooms.slice(at * rooms_of_grade, (at + 1) * rooms_of_grade).map(one => one.place_id) })
    const fixed = own.filter(one => !walking_classes.second.includes(one.class_no)).map(({ user_id, class_no }) => comboOf(user_id,
      class_no))
    return { classes: walk.classes, combos: [...walk.combos, ...fixed] }
  })
  return { classes: planned.flatMap(one => one.classes), combos: planned.flatMap(one => one.combos) }
}

/** The three subjects of a class that is taught all of them together. */
function comboOf(student_id: string, class_no: number) {
  const combos: Readonly<Record<string, string[]>> = source.combos
  const [first = '', ...second] = (combos[String(class_no)] ?? []).map(codeOf)
  return { student_id, first, second: second.toSorted() }
}

const codeOf = (subject: string): string => school.subjects.find(one => one.name === subject)?.code ?? '66'
const courseNo = (subject: string): string => `QM${codeOf(subject)}`

/** Lessons a week of a class by subject. */
function hoursOf({ grade, class_no }: Class): Hours {
  const plain: Readonly<Record<string, Hours>> = source.hours
  const own = plain[grade]
  if (own) return own
  const seniors: Readonly<Record<string, { common: Hours; first: number; second: number; others: number }>> = source.seniors
  const plan = seniors[grade]
  if (!plan) return {}
  const combos: Readonly<Record<string, string[]>> = source.combos
  const [first = '物理', ...second] = combos[String(class_no)] ?? []
  const walks = walking_classes.second.includes(class_no)
  const chosen: Hours = { ...(walking_classes.first.includes(class_no) ? {} : { [first]: plan.first }),
    ...Object.fromEntries(walks ? [] : second.map(name => [name, plan.second])) }
  const others = walks ? [] : ['历史', '物理', '地理', '生物学'].filter(name => !(name in chosen)).slice(0, plan.others)
  const rest = walks && plan.others > 0 ? { [school_course]: plan.others } : Object.fromEntries(others.map(name => [name, 1]))
  return { ...plan.common, ...chosen, ...rest }
}

const subject_names = new Set([...Object.values(source.hours).flatMap(hours => Object.keys(hours)), ...Object.values(source.combos).flat(), ...Object.values(source.seniors).flatMap(one => Object.keys(one.common))])

function courses(): TeachingPlan['courses'] {
  return [...subject_names].map((course_name, at) => {
    const subject = school.subjects.find(one => one.name === course_name)?.code ?? '66'
    const grades = grade_codes.filter(grade => taughtIn(grade, course_name))
    const weekly = Math.max(1, ...grades.map(grade => hoursOf({ id: '', grade, stage: '', class_no: 1 })[course_name] ?? 1))
    return { course_no: `QM${subject}`, course_name, subject, grades, course_type: '1', course_attr: '1', weekly, double: 0, color: source.colors[at % source.colors.length] ?? '#4F8DF7' }
  })
}

function taughtIn(grade: string, course_name: string): boolean {
  return [1, 5, 6, 7, 8, 9, 10].some(class_no => course_name in hoursOf({ id: '', grade, stage: '', class_no }))
}

/** Every class gets the least busy teacher of the subject and stage; what no group teaches goes to a teacher the class has already. */
function planTeaching(classes: readonly Class[], teachers: readonly Teacher[]): PlannedTeaching[] {
  return classes.flatMap(one => {
    const own: Teacher[] = []
    const entries = Object.entries(hoursOf(one)).toSorted(([a], [b]) => Number(no_teacher.includes(a)) - Number(no_teacher.includes(b)))
    return entries.map(([name, weekly]): PlannedTeaching => {
      const group = teachers.filter(teacher => teacher.subject === name && teacher.stage === one.stage)
      const [chosen] = (group.length > 0 ? group : own).toSorted((a, b) => a.load - b.load)
      if (chosen) {
        chosen.load += weekly
        if (!own.includes(chosen)) own.push(chosen)
      }
      return { dept_id: one.id, course_no: courseNo(name), ...weeksOf(one, name, weekly), double: 0, teacher_ids: chosen
        ? [chosen.user_id] : [] }
    })
  })
}

function weeksOf({ grade, class_no }: Class, name: string, weekly: number): { weekly_odd: number; weekly_even: number } {
  const alternates = grade === alternating.grade && class_no <= alternating.classes
  if (alternates && name === alternating.odd) return { weekly_odd: weekly, weekly_even: weekly - 1 }
  if (alternates && name === alternating.even) return { weekly_odd: weekly, weekly_even: weekly + 1 }
  return { weekly_odd: weekly, weekly_even: weekly }
}

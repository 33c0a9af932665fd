import { RuleBody } from '@campus/attendance/contract'
import { createAttendance } from '@campus/attendance/server'
import type { AttendancePlan } from '@campus/attendance/server'
import { addDays } from '@campus/calendar/contract'
import type { CalendarViews } from '@campus/calendar/server'
import type { PeopleViews } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { spread } from './spread.ts'
import type { Work } from './school-work.ts'

const [grade_type, exempted, weeks] = [3, 12, 2] as const
const shown_days = 5
const senior: readonly string[] = ['31', '32', '33']
const body = (more: Partial<RuleBody> = {}) => RuleBody.parse({ ...more })
const rules: AttendancePlan['rules'] = [
  { rule_name: '半天一次', person_kind: 1, kind: 'course', note: '到校和午休后各打一次卡', body: body({ chain_mode: 3, before_min: 20 }) },
  { rule_name: '走班每节', person_kind: 1, kind: 'course', note: '走班课每节打卡', body: body({ chain_mode: 1 }) },
  { rule_name: '同教室连堂', person_kind: 1, kind: 'course', note: '', body: body({ chain_mode: 2 }) },
  { rule_name: '换教室才打', person_kind: 1, kind: 'course', note: '', body: body({ chain_mode: 4 }) },
  {
    rule_name: '体育课楼外', person_kind: 1, kind: 'course', note: '操场没有打卡点，以点名为准',
    body: body({ place_match: 4, rollcall: 'wins', chain_mode: 3 }),
  },
  { rule_name: '实验课签退', person_kind: 1, kind: 'course', note: '实验室下课签退', body: body({ chain_mode: 1, need_out: true }) },
  {
    rule_name: '小学点名', person_kind: 1, kind: 'course', note: '低年级不要求打卡', body: body({ chain_mode: 3, rollcall: 'wins', late_grace_min: 5 }),
  },
  { rule_name: '早到校', person_kind: 1, kind: 'clock', note: '', body: body({ before_min: 40, late_until_min: 30 }) },
  { rule_name: '晚自习', person_kind: 1, kind: 'clock', note: '', body: body({ before_min: 20, need_out: true }) },
  { rule_name: '宿舍晚点名', person_kind: 1, kind: 'clock', note: '', body: body({ place_match: 3 }) },
  { rule_name: '教师上课', person_kind: 2, kind: 'course', note: '任课教师到课', body: body({ chain_mode: 3, place_match: 3, late_grace_min: 2 }) },
  { rule_name: '教职工坐班', person_kind: 2, kind: 'clock', note: '', body: body({ before_min: 60, place_match: 4, need_out: true }) },
]

/**
 * Rules of attendance, where they hold, and a school week of clocks of the senior grades, the last day of the whole school
 * (chapter 55 §8).
 */
export async function fillAttendance({ app, db, school_id, now, today }: Work): Promise<void> {
  const terms = await asTables<CalendarViews>(db).selectFrom('semester_v').select(['semester_id', 'begin_date', 'end_date'])
    .where('school_id', '=', school_id).orderBy('begin_date').execute()
  const term = terms.findLast(one => one.begin_date <= today)
  if (!term) return
  const views = asTables<PeopleViews>(db)
  const grades = await views.selectFrom('dept_now').select(['id', 'grade', 'dept_name', 'stage']).where('school_id', '=', school_id)
    .where('dept_type', '=', grade_type).orderBy('grade').execute()
  const pupils = spread(
    await views.selectFrom('live_student').select('user_id').where('school_id', '=', school_id).orderBy('student_no').execute(), exempted
  )
  const of_grade = grades.flatMap(({ id, grade, dept_name }) => (grade !== null && senior.includes(grade) ? [{
    arrange_name: `${dept_name}课程`, rule: '半天一次', scope: [3, id] as const,
  }] : []))
  await createAttendance({ app, db, school_id, now }, {
    semester_id: term.semester_id, from: term.begin_date, to: term.end_date, rules,
    arranges: [
      {
        arrange_name: '全校课程', rule: '半天一次', scope: [1, '0'],
      }, { arrange_name: '小学课程', rule: '小学点名', scope: [2, '1'] }, { arrange_name: '教师课程', rule: '教师上课', scope: [1, '0'] }, ...of_grade,
    ],
    exempts: pupils.map(({ user_id }, at) => ({
      user_id, reason: at % 2 === 0 ? '伤病休养，免体育和早到校' : '校队集训，按训练计划到校', valid_to: addDays(today, 7 + at),
    })),
    days: await schoolDays({ db, school_id }, today),
  })
}

/** A week of school days up to today, the last with every grade: the server judges them all when it has started. */
async function schoolDays({ db, school_id }: Pick<Work, 'db' | 'school_id'>, today: string): Promise<AttendancePlan['days']> {
  const rows = await asTables<CalendarViews>(db).selectFrom('school_day_v').select(['date', 'grade']).where('school_id', '=', school_id)
    .where('is_school_day', '=', true).where('grade', '<>', '00')
    .where('date', '>', addDays(today, -weeks * 7)).where('date', '<=', today).orderBy('date').orderBy('grade').execute()
  const dates = [...new Set(rows.map(row => row.date))].slice(-shown_days)
  const whole = new Set(dates.slice(-1))
  return dates.map(date => ({
    date, grades: rows.filter(row => row.date === date && (whole.has(date) || senior.includes(row.grade))).map(row => row.grade),
  }))
}

import { allCombos, comboName } from '@campus/teaching/contract'
import { createElectives } from '@campus/teaching/server'
import type { PlannedTask } from '@campus/teaching/server'
import type { CalendarViews } from '@campus/calendar/server'
import type { PeopleViews } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { createHash } from 'node:crypto'
import type { Work } from './school-work.ts'

const seed = createHash('sha256').update('demo:900001').digest('hex')
const [combo_seats, club_seats, course_seats] = [90, 30, 40] as const
const clubs = ['合唱团', '机器人社', '足球社', '国画社', '话剧社', '围棋社']
const school_courses = ['天文观测', '影视鉴赏', '急救与健康', '数学建模', '校园植物', '木工坊']
const friday_8 = [{ weekday: 5, section: 8 }]

/**
 * Choosing in the senior grades: three of six subjects is open now, the school's own courses are drawn, clubs are full with a waiting list,
 * one task is void (chapter 50 §8).
 */
export async function fillElectives(work: Work): Promise<void> {
  const { db, school_id, today } = work
  const terms = await asTables<CalendarViews>(db).selectFrom('semester_v').select(['semester_id', 'begin_date'])
    .where('school_id', '=', school_id).orderBy('begin_date').execute()
  const term = terms.findLast(one => one.begin_date <= today) ?? terms[0]
  const people = asTables<PeopleViews>(db)
  const pupils = await people.selectFrom('live_student').select(['user_id', 'grade']).where('school_id', '=', school_id)
    .where('grade', 'in', ['31', '32']).orderBy('student_no').execute()
  const teachers = await people.selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).orderBy('user_id')
    .limit(clubs.length).execute()
  const [first] = teachers
  if (!term || !first || pupils.length === 0) return
  const of = (grade: string) => pupils.filter(one => one.grade === grade).map(one => one.user_id)
  const combos = allCombos()
  const led = (names: readonly string[], capacity: number) => names
    .map((title, at) => ({ title, capacity, teacher_ids: [teachers[at]?.user_id ?? first.user_id], slots: friday_8 }))
  const tasks: PlannedTask[] = [
    {
      kind: 1, name: '高一选科（3+1+2）', mode: 1, from: -2, to: 5, grades: ['31'], max_pick: 1, waitlist: false, note: '请与家长商量后选择，结束前可以改选。',
        offers: combos.map(combo => ({ title: comboName(combo), combo, capacity: combo_seats })),
      picks: of('31').filter((_, at) => at % 4 !== 3).map((student_id, at) => ({ student_id, offers: [(at * at) % combos.length] })),
    },
    {
      kind: 2, name: '高二校本选修', mode: 2, from: -20, to: -10, grades: ['32'], max_pick: 1, waitlist: true, note: '按志愿抽签，每人一门。',
        offers: led(school_courses, course_seats), seed, drawn: true,
      picks: of('32').map((student_id, at) => ({ student_id, offers: [at % 3, 3 + (at % 3)] })),
    },
    {
      kind: 3, name: '社团招新', mode: 1, from: -12, to: -6, grades: ['31', '32'], max_pick: 1, waitlist: true, note: '先到先得，满额后候补。',
        offers: led(clubs, club_seats),
      picks: [...of('31'), ...of('32')].slice(0, clubs.length * (club_seats + 3))
        .map((student_id, at) => ({ student_id, offers: [at % clubs.length] })),
    },
    { kind: 3, name: '社团招新（试运行）', mode: 1, from: -30, to: -25, grades: ['31'], max_pick: 1, waitlist: false, note: '',
      offers: led(clubs.slice(0, 2), club_seats), picks: [], void_reason: '时间设置有误，重新组织' },
  ]
  await createElectives(work, term.semester_id, first.user_id, tasks)
}

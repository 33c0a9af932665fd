import { createAccess, createPickups, createVisits } from '@campus/access/server'
import type { PlannedVisit } from '@campus/access/server'
import type { PeopleViews } from '@campus/people/server'
import type { PlacesViews } from '@campus/places/server'
import { asTables } from '@kit/server/db'
import { planAssigned } from './access-assigned.ts'
import { spread } from './spread.ts'
import type { Work } from './school-work.ts'
import { startOfDay } from './school-year.ts'

const [teaching, returning, releasing, every] = [1, 2, 3, 5] as const
const [hour_ms, day_ms, gate_kind, hosts] = [3_600_000, 86_400_000, 9, 8] as const
const gates_of_visits = 2
const [day, from_midnight] = [1440, 0] as const
const workdays = [true, true, true, true, true, false, false]

const period = (direction: 1 | 2, begin_min: number, end_min: number, day_match: number = teaching) => ({ direction, day_match, week_flags: day_match === teaching ? workdays : null, begin_min, end_min })
const schoolHours = (come_until: number, go_from: number) => [period(1, 390, come_until), period(1, 750, 840), period(2, go_from, 1320)]
const all_day = [period(1, from_midnight, day, every), period(2, from_midnight, day, every)]
const rules = [
  { rule_name: '小学走读', scene: 1, periods: schoolHours(510, 970) },
  { rule_name: '初中走读', scene: 1, periods: schoolHours(480, 1020) },
  { rule_name: '高中走读', scene: 1, periods: schoolHours(450, 1260) },
  { rule_name: '住校', scene: 1, periods: [period(1, 960, 1230, returning), period(2, 990, 1140, releasing), period(1, 390, 480)] },
  { rule_name: '教职工全天', scene: 2, periods: all_day },
  { rule_name: '家长接送', scene: 3, periods: [period(1, 940, 1080), period(2, 940, 1140)] },
  { rule_name: '家长进宿舍', scene: 4, periods: [period(1, 960, 1200, returning), period(2, 960, 1230, returning)] },
]

/** `days` from today; hours of that day. */
type Planned = Pick<PlannedVisit, 'visitor_name' | 'mobile' | 'company' | 'reason_code' | 'reason_text' | 'followers' | 'plate' | 'state'> & { days: number; from: number; to: number; refuse_reason?: string }
const visits: readonly Planned[] = [
  { visitor_name: '周建国', mobile: '13900001001', company: '', reason_code: '2', reason_text: '了解孩子学习情况', followers: 0, plate: '', state: 'waits', days: 1, from: 9, to: 10 },
  { visitor_name: '郑海波', mobile: '13900001002', company: '晨光文具有限公司', reason_code: '4', reason_text: '送办公用品', followers: 1, plate: '粤B12345', state: 'waits', days: 1, from: 14, to: 15 },
  { visitor_name: '何丽萍', mobile: '13900001003', company: '师范大学', reason_code: '6', reason_text: '教学观摩', followers: 4, plate: '', state: 'waits', days: 2, from: 9, to: 12 },
  { visitor_name: '罗志强', mobile: '13900001004', company: '恒通空调维修', reason_code: '5', reason_text: '检修教学楼空调', followers: 1, plate: '粤B67890', state: 'left', days: -1, from: 9, to: 11 },
  { visitor_name: '冯雪梅', mobile: '13900001005', company: '', reason_code: '2', reason_text: '参加家长座谈', followers: 0, plate: '', state: 'left', days: -2, from: 15, to: 16 },
  { visitor_name: '彭文博', mobile: '13900001006', company: '', reason_code: '7', reason_text: '应聘数学教师', followers: 0, plate: '', state: 'expired', days: -2, from: 10, to: 11 },
  { visitor_name: '曹志远', mobile: '13900001007', company: '兴达教育咨询', reason_code: '1', reason_text: '推广课外课程', followers: 2, plate: '', state: 'refused', days: -3, from: 10, to: 11, refuse_reason: '学校不接待课程推广' },
  { visitor_name: '袁小红', mobile: '13900001008', company: '', reason_code: '8', reason_text: '取遗失物品', followers: 0, plate: '', state: 'cancelled', days: -3, from: 16, to: 17 },
]

/** Time rules with who goes by them, and visitors who wait, came or did not (chapter 35 §8). */
export async function fillAccess(work: Work): Promise<void> {
  const { app, db, school_id, now, from } = work
  const gates = await asTables<PlacesViews>(db).selectFrom('place_live_v').select(['place_id', 'place_name']).where('school_id', '=', school_id).where('place_kind', '=', gate_kind).orderBy('place_id').execute()
  const staff = await asTables<PeopleViews>(db).selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).orderBy('teacher_no').execute()
  await createAccess({ app, db, school_id, now }, { from: startOfDay(from), rules, ...(await planAssigned(work, gates)) })
  const place_ids = gates.slice(0, gates_of_visits).map(gate => gate.place_id)
  const midnight = Math.floor((now.getTime() + 8 * hour_ms) / day_ms) * day_ms - 8 * hour_ms
  const planned = spread(staff, hosts).flatMap(({ user_id }, at): PlannedVisit[] => {
    const found = visits[at]
    if (!found) return []
    const { days, from: from_hour, to: to_hour, ...visit } = found
    const start = midnight + days * day_ms
    return [{ ...visit, receiver_user_id: user_id, place_ids, booked: Math.min(now.getTime(), start) - hour_ms, begin: start + from_hour * hour_ms, end: start + to_hour * hour_ms }]
  })
  await createVisits({ app, db, school_id }, planned)
  await fillPickups(work)
}

const adults = ['王桂兰', '李淑珍', '张建华', '刘秀英', '陈志明', '赵玉梅'] as const
const relations = ['62', '64', '61', '91', '83', '62'] as const

/** Grandparents and others who fetch pupils of the first grades; every second one waits for a guardian's word. */
async function fillPickups({ app, db, school_id, now, from }: Work): Promise<void> {
  const views = asTables<PeopleViews>(db)
  const pupils = await views.selectFrom('live_student').select('user_id').where('school_id', '=', school_id).where('grade', 'in', ['11', '12', '13'])
    .orderBy('student_no').execute()
  const [teacher] = await views.selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).orderBy('teacher_no').limit(1).execute()
  const persons = spread(pupils, adults.length).map(({ user_id: student_id }, at) => ({
    student_id, person_name: adults[at] ?? '', relation: relations[at] ?? '99', mobile: `1390000200${at}`, valid_from: from,
    confirmed_by: at % 2 === 0 ? (teacher?.user_id ?? null) : null,
  }))
  await createPickups({ app, db, school_id, now }, persons)
}

import { addDays, weekdayOf } from '@campus/calendar/contract'
import { createLeaves } from '@campus/leave/server'
import type { LeavePlan } from '@campus/leave/server'
import { schoolDay } from '@campus/school/server'
import { sql } from 'kysely'
import type { Work } from './school-work.ts'
import { startOfDay } from './school-year.ts'

type Leave = LeavePlan['leaves'][number]
type Pupil = { user_id: string; is_boarder: boolean; head_id: string | null; head_name: string | null; parent_id: string | null; parent_name: string | null }

const day_leave = '学生走读请假'
const boarder_leave = '住校生请假'
const past_days = 56
const saturday = 6
const guardian = 2
const every = 37

const pupils_only = [1]
const reasons: LeavePlan['reasons'] = [
  { reason_code: '1', reason_name: '身体不适', person_kinds: [1, 2], leave_types: [], need_health: true }, { reason_code: '2', reason_name: '就医', person_kinds: [1, 2], need_health: true }, { reason_code: '3', reason_name: '家中有事', person_kinds: [1, 2] },
  { reason_code: '4', reason_name: '取物品', person_kinds: pupils_only }, { reason_code: '5', reason_name: '参加活动', person_kinds: [1, 2] }, { reason_code: '6', reason_name: '转学办理', person_kinds: pupils_only },
  { reason_code: '7', reason_name: '疗养', person_kinds: [1, 2], need_health: true }, { reason_code: '8', reason_name: '走亲访友', person_kinds: pupils_only }, { reason_code: '99', reason_name: '其他', person_kinds: [1, 2] },
  ...['牙科复诊', '眼科检查', '接种疫苗', '骨折复查', '过敏就诊', '发热在家观察', '证件办理', '家庭婚礼', '亲属丧事', '竞赛集训', '文艺演出', '体育比赛'].map((reason_name, at) => ({ reason_code: String(1001 + at), reason_name, person_kinds: pupils_only, need_health: at < 6 })),
]

/** Forms, reasons and leaves of a term: what lies behind, who is on leave today, what waits, who is late, and long illnesses (chapter 70 §8). Days are those of the clock. */
export async function fillLeave({ app, db, school_id, now, from }: Work): Promise<void> {
  const pupils = await readPupils(db, school_id)
  const stand_in = await readStandIns(db, school_id)
  if (pupils.length === 0) return
  const today = schoolDay(now)
  await createLeaves({ app, db, school_id, now }, { from: startOfDay(from), reasons, forms: formsOf(stand_in), leaves: [...pastLeaves(pupils, from, today), ...longLeaves(pupils, today), ...todayLeaves(pupils, today), ...waitingLeaves(pupils, today)] })
}

/** Pupils with their class teacher and first guardian, spread over the classes. */
async function readPupils(db: Work['db'], school_id: number): Promise<Pupil[]> {
  const { rows } = await sql<Pupil>`
    select s.user_id::text as user_id, coalesce(s.study_method, '') = '2' as is_boarder, y.user_id::text as head_id, h.user_name as head_name, g.parent_user_id::text as parent_id, p.user_name as parent_name
    from live_student s
    left join duty_span y on y.school_id = ${school_id} and y.dept_id = s.dept_id and y.duty = 'head' and y.valid_to is null
    left join live_staff h on h.school_id = ${school_id} and h.user_id = y.user_id
    left join guardian_span g on g.school_id = ${school_id} and g.student_user_id = s.user_id and g.is_first and g.is_guardian and g.valid_to is null
    left join live_person p on p.school_id = ${school_id} and p.user_id = g.parent_user_id and p.person_kind = 3
    where s.school_id = ${school_id} order by right(s.student_no, 2), s.student_no limit 2000`.execute(db)
  return rows.filter(row => row.head_id !== null && row.parent_id !== null && row.parent_name !== null)
}

/** Who decides where nobody else does: those of moral education, else anybody who leads a grade. */
async function readStandIns(db: Work['db'], school_id: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct y.user_id::text as user_id from duty_span y join live_staff s on s.school_id = ${school_id} and s.user_id = y.user_id
    where y.school_id = ${school_id} and y.duty = 'grade_head' and y.valid_to is null order by 1 limit 2`.execute(db)
  return rows.map(row => row.user_id)
}

function formsOf(fallback_user_ids: string[]): LeavePlan['forms'] {
  const step = (resolver: number, when = {}) => ({ mode: 1, resolver, resolver_ids: [], when, remind_min: 30, escalate_min: 120 })
  const three_days = { minutes_from: 3 * 1440 }
  return [
    { form_name: day_leave, person_kind: 1, design: { leave_types: ['1', '2', '3', '4', '5', '99'], fallback_user_ids, steps: [step(2), step(3, three_days)] } },
    { form_name: boarder_leave, person_kind: 1, design: { leave_types: ['1', '2', '6', '7', '99'], fallback_user_ids, auto_return: false, steps: [step(2), step(3, three_days)] } },
    { form_name: '集体活动', person_kind: 1, design: { leave_types: ['8', '9'], fallback_user_ids, steps: [step(3)] } },
    { form_name: '教职工请假', person_kind: 2, design: { leave_types: ['01', '02', '03', '04', '05', '06', '07', '08', '14', '99'], exit_mode: 0, meal: false, bus: false, fallback_user_ids, steps: [step(6), step(7, three_days)] } },
  ]
}

const at = (day: string, clock: string) => new Date(`${day}T${clock}:00+08:00`).toISOString()

function leaveOf(pupil: Pupil, leave_type: string, [reason_code, reason]: readonly [string, string], begin: string, end: string): Leave {
  return {
    form_name: pupil.is_boarder && leave_type !== '5' ? boarder_leave : day_leave, user_id: pupil.user_id, leave_type, reason_code, reason, begin, end, apply_as: guardian,
    apply_by: { user_id: pupil.parent_id ?? '', user_name: pupil.parent_name ?? '' }, decided_by: pupil.head_id ?? '',
  }
}

const illnesses = [['1', '发烧，在家休息'], ['2', '去医院就诊'], ['1001', '牙科复诊'], ['1006', '感冒咳嗽，在家观察']] as const
const errands = [['3', '家中有事，需要回家处理'], ['1007', '办理身份证'], ['99', '参加亲属婚礼']] as const

function nth<T>(pupils: readonly T[], place: number): T {
  const found = pupils[place % pupils.length]
  if (found === undefined) throw new Error('the school has no pupils')
  return found
}

/** Some a day on school days of the last weeks, more of them ill as winter comes. */
function pastLeaves(pupils: readonly Pupil[], from: string, today: string): Leave[] {
  const days = Array.from({ length: past_days }, (_, back) => addDays(today, back - past_days)).filter(day => day >= from && weekdayOf(day) < saturday)
  return days.flatMap((day, week) => Array.from({ length: 5 + Math.floor(week / 10) }, (_, one) => {
    const pupil = nth(pupils, 100 + (week * 11 + one) * every)
    if (one % 4 === 3) return leaveOf(pupil, '1', nth(errands, one + week), at(day, '13:30'), at(day, '16:30'))
    return leaveOf(pupil, '2', nth(illnesses, one + week), at(day, one % 3 === 0 ? '08:00' : '10:00'), at(day, one % 3 === 0 ? '16:30' : '12:00'))
  }))
}

/** Long illnesses: some in a row with days between, one for weeks. */
function longLeaves(pupils: readonly Pupil[], today: string): Leave[] {
  const ill = (place: number, reason: readonly [string, string], begins: readonly number[], days: number) =>
    begins.map(back => leaveOf(nth(pupils, place), '2', reason, at(addDays(today, -back), '08:00'), at(addDays(today, days - back - 1), '16:30')))
  return [...ill(3, ['7', '手术后疗养'], [74, 44, 16], 13), ...ill(11, ['7', '骨折后疗养'], [30], 18), ...ill(19, ['1', '支气管炎'], [20, 13], 5), ...ill(27, ['2', '住院治疗'], [12], 6), ...ill(35, ['1005', '过敏反复'], [9, 4], 3)]
}

/** Today: at home ill, outside by the gate, and two who should have been back. */
function todayLeaves(pupils: readonly Pupil[], today: string): Leave[] {
  const ill = Array.from({ length: 24 }, (_, one) => ({ ...leaveOf(nth(pupils, 50 + one * 13), '2', nth(illnesses, one), at(today, '07:00'), at(today, '23:00')), state: 2 }))
  const out = Array.from({ length: 9 }, (_, one) => ({ ...leaveOf(nth(pupils, 900 + one * 17), one % 2 === 0 ? '2' : '5', nth(illnesses, one), at(today, '00:10'), at(today, '23:30')), state: 6, out_at: at(today, '00:20') }))
  const yesterday = addDays(today, -1)
  const late = [1, 2].map(one => ({ ...leaveOf(nth(pupils, 1300 + one * 19), '5', ['4', '回家取物品'] as const, at(yesterday, '13:30'), at(yesterday, '15:30')), state: 8, out_at: at(yesterday, '13:40') }))
  return [...ill, ...out, ...late]
}

/** What guardians have sent and class teachers have to decide. */
function waitingLeaves(pupils: readonly Pupil[], today: string): Leave[] {
  return Array.from({ length: 19 }, (_, one): Leave => {
    const day = addDays(today, 1 + (one % 3))
    const pupil = nth(pupils, 1500 + one * 7)
    return { ...leaveOf(pupil, one % 3 === 0 ? '1' : '2', one % 3 === 0 ? nth(errands, one) : nth(illnesses, one), at(day, '08:00'), at(one % 5 === 0 ? addDays(day, 3) : day, '16:30')), waits: true }
  })
}

import { addDays, mondayOf, weekdayOf } from '@campus/calendar/contract'
import { createEvaluation } from '@campus/evaluation/server'
import type { EvaluationPlan } from '@campus/evaluation/server'
import { schoolDay } from '@campus/school/server'
import { sql } from 'kysely'
import type { Work } from './school-work.ts'

type Pupil = { user_id: string; dept_id: string; head_id: string; parent_id: string | null }
type Planned = EvaluationPlan['records'][number]
const weeks = 8
const friday = 5
const per_day = 14
const appealed = 3
const clocks = ['07:52', '09:40', '10:35', '12:10', '14:20', '15:55', '16:30'] as const

const [by_teacher, by_head, by_office] = [1, 2, 3] as const
const good = { giver_week_quota: 60, person_day_max: 3 }
const bad = { sign: -1, show_public: false, evidence: 1, givers: [by_head, by_office] }

/** Six dimensions of 五育 with their indicators (chapter 55 §8). */
const dimensions: EvaluationPlan['dimensions'] = [
  {
    star_kind: '1',
    star_name: '品德之星',
    icon: 'heart',
    colour: 'red',
    indicators: [
      { star_name: '乐于助人', icon: 'heart', ...good, level_cuts: [10_000, 30_000] },
      { star_name: '拾金不昧', icon: 'medal', step: 2000, ...good },
      { star_name: '升旗手', icon: 'flag', step: 3000, givers: [by_head, by_office] },
    ],
  },
  {
    star_kind: '2',
    star_name: '学习之星',
    icon: 'book',
    colour: 'blue',
    indicators: [
      { star_name: '课堂积极', icon: 'book', ...good, decay: 1, half_life_days: 60, givers: [by_teacher, by_head] },
      { star_name: '作业优秀', icon: 'star', ...good, decay: 2, givers: [by_teacher, by_head] },
      { star_name: '进步明显', icon: 'trophy', step: 2000, ...good },
    ],
  },
  {
    star_kind: '3',
    star_name: '体育之星',
    icon: 'trophy',
    colour: 'green',
    indicators: [
      { star_name: '跑操认真', icon: 'star', ...good, decay: 1, half_life_days: 30 },
      { star_name: '运动会获奖', icon: 'medal', step: 5000, approve: true },
    ],
  },
  {
    star_kind: '4',
    star_name: '艺术之星',
    icon: 'star',
    colour: 'purple',
    indicators: [
      { star_name: '才艺展示', icon: 'star', step: 2000, ...good },
      { star_name: '作品入选', icon: 'trophy', step: 3000, ...good },
    ],
  },
  {
    star_kind: '5',
    star_name: '劳动之星',
    icon: 'broom',
    colour: 'cyan',
    indicators: [
      { star_name: '值日认真', icon: 'broom', ...good, decay: 1, half_life_days: 30 },
      { star_name: '卫生优秀班级', icon: 'broom', subject_kind: 2, step: 2000, givers: [by_office] },
    ],
  },
  {
    star_kind: '7',
    star_name: '守纪之星',
    icon: 'medal',
    colour: 'gold',
    indicators: [
      { star_name: '文明守纪', icon: 'medal', ...good },
      { star_name: '违反纪律', icon: 'flag', ...bad, decay: 2 },
      { star_name: '未值日', icon: 'broom', ...bad, step: 500, decay: 1, half_life_days: 14 },
    ],
  },
]

const praise = [
  ['乐于助人', '主动帮助同学补习功课'],
  ['课堂积极', '课堂发言积极，思路清晰'],
  ['值日认真', '值日认真，教室整洁'],
  ['跑操认真', '跑操动作标准，坚持全程'],
  ['作业优秀', '作业书写工整，连续一周全优'],
  ['文明守纪', '课间文明休息，礼让同学'],
  ['才艺展示', '班会展示书法作品'],
  ['进步明显', '本次测验进步明显'],
  ['拾金不昧', '拾到饭卡交到值班室'],
  ['作品入选', '绘画作品入选校园展'],
] as const
const blame = [
  ['违反纪律', '自习课多次讲话，经提醒改正'],
  ['未值日', '当天值日未完成就离开'],
] as const
const rarely = 19
const posts = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']

/** Types, some hundred records of eight weeks, appeals, settled weeks, committees of every class with one change (chapter 55 §8). */
export async function fillEvaluation(work: Work): Promise<void> {
  const { app, db, school_id, now } = work
  const pupils = await readPupils(work)
  if (pupils.length === 0) return
  const today = schoolDay(now)
  const first = addDays(mondayOf(today), -7 * weeks)
  const opted_out = pupils
    .filter((_, at) => at % 401 === 7)
    .slice(0, 3)
    .map(({ user_id }) => ({ user_id, reason: '家长要求不公开' }))
  const records = recordsOf(pupils, first, today).filter(one => new Date(`${one.day}T${one.clock}:00+08:00`) <= now)
  await createEvaluation(
    { app, db, school_id, now },
    { dimensions, records, posts: committees(pupils, first), opted_out, settled_weeks: weeks },
  )
}

/** Pupils class by class with their class teacher and first guardian. */
async function readPupils({ db, school_id }: Work): Promise<Pupil[]> {
  const { rows } = await sql<Pupil>`
    select s.user_id::text as user_id, s.dept_id::text as dept_id, y.user_id::text as head_id, g.parent_user_id::text as parent_id
    from live_student s
    join duty_span y on y.school_id = ${school_id} and y.dept_id = s.dept_id and y.duty = 'head' and y.valid_to is null
    left join guardian_span g on g.school_id = ${school_id} and g.student_user_id = s.user_id and g.is_first and g.is_guardian and g.valid_to is null
    where s.school_id = ${school_id} order by s.dept_id, s.student_no`.execute(db)
  return rows
}

/** On every school day some pupils of ever other classes; the last days hold what waits and what is under appeal. */
function recordsOf(pupils: readonly Pupil[], first: string, today: string): Planned[] {
  const records: Planned[] = []
  for (let day = first, n = 0; day <= today; day = addDays(day, 1)) {
    if (weekdayOf(day) > friday) continue
    for (let at = 0; at < per_day; at += 1, n += 1) {
      const pupil = pupils[(n * 277 + at * 31) % pupils.length]
      const line = n % rarely === rarely - 1 ? blame[n % blame.length] : praise[(n * 7 + at) % praise.length]
      if (!pupil || !line) continue
      const [star_name, reason] = line
      const { user_id: subject_id, dept_id, head_id: given_by } = pupil
      records.push({
        day,
        clock: clocks[at % clocks.length] ?? '10:35',
        subject_id,
        dept_id,
        star_name,
        times: 1 + (n % 3 === 0 ? 1 : 0),
        reason,
        given_by,
      })
    }
  }
  return [...records.map((one, at) => appealOf(one, at, records.length, pupils)), ...waitingOf(pupils, today)]
}

/** Of the last hundred records the negative ones, and every thirtieth, are under appeal. */
function appealOf(record: Planned, at: number, total: number, pupils: readonly Pupil[]): Planned {
  const is_late = total - at <= 100
  const is_negative = record.star_name === '违反纪律' || record.star_name === '未值日'
  if (!is_late || !(is_negative || at % 30 === 0)) return record
  const parent_id = pupils.find(one => one.user_id === record.subject_id)?.parent_id
  if (!parent_id) return record
  const text = is_negative ? '当天孩子身体不适，请老师再核实' : '应为两次，请核对次数'
  return { ...record, state: appealed, appeal: { asked_by: parent_id, text, step: at % 4 === 0 ? 2 : 1 } }
}

function waitingOf(pupils: readonly Pupil[], day: string): Planned[] {
  return pupils
    .filter((_, at) => at % 611 === 3)
    .slice(0, 5)
    .map(({ user_id, dept_id, head_id }) => ({
      day,
      clock: '07:30',
      subject_id: user_id,
      dept_id,
      star_name: '运动会获奖',
      times: 1,
      reason: '秋季运动会接力赛第一名',
      given_by: head_id,
      state: 0,
    }))
}

/** Ten posts a class; in the first class the first monitor was another one until three weeks ago. */
function committees(pupils: readonly Pupil[], first: string): EvaluationPlan['posts'] {
  const changed = addDays(first, 7 * (weeks - 3))
  return [...Map.groupBy(pupils, one => one.dept_id)].flatMap(([dept_id, members], place) =>
    posts.flatMap((post_code, at): EvaluationPlan['posts'] => {
      const holder = members[at * 3]
      const next = members[1]
      if (!holder) return []
      const post = { dept_id, post_code, user_id: holder.user_id, elected_by: at === 0 ? 1 : 2, valid_from: first }
      if (place !== 0 || at !== 0 || !next) return [post]
      return [
        { ...post, valid_to: changed },
        { ...post, user_id: next.user_id, valid_from: changed },
      ]
    }),
  )
}

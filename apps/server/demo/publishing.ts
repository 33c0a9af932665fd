import { addDays, mondayOf } from '@campus/calendar/contract'
import { createCanteen } from '@campus/canteen/server'
import { createHonours, createPosts } from '@campus/publishing/server'
import type { PlannedPost } from '@campus/publishing/server'
import { sql } from 'kysely'
import { shown_class } from './fill-pupils.ts'
import { fillResources } from './resources.ts'
import type { Work } from './school-work.ts'

const hour_ms = 3_600_000
const day_ms = 24 * hour_ms
const [families, colleagues] = [1, 2] as const
/** The days for which a check-in has been running. */
const check_in_days = 14
const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const survey_form: PlannedPost['form'] = [
  { key: 'f1', type: 'single', label: '孩子本学期是否参加课后服务', required: true, options: ['参加', '不参加', '视课程安排而定'], min: null, max: null, when: null },
  { key: 'f2', type: 'multi', label: '希望开设的课程', required: false, options: ['篮球', '合唱', '书法', '编程', '阅读'], min: null, max: 3, when: { key: 'f1', value: '参加' } },
  { key: 'f3', type: 'area', label: '其他建议', required: false, options: [], min: null, max: 200, when: null },
]
const address_form: PlannedPost['form'] = [
  { key: 'f1', type: 'text', label: '紧急联系人姓名', required: true, options: [], min: null, max: 20, when: null },
  { key: 'f2', type: 'text', label: '紧急联系人电话', required: true, options: [], min: null, max: 20, when: null },
]
const courses = ['篮球', '合唱', '书法', '编程', '阅读']

/** Notices, a survey, a collection, honours and this week's menu (chapter 60 §8). */
export async function fillPublishing(work: Work): Promise<void> {
  const { db, school_id, today } = work
  const { rows: [author] } = await sql<{ user_id: string }>`select user_id::text as user_id from account where username = 'admin01'`.execute(db)
  const { rows: classes } = await sql<{ id: string; parent_id: string }>`
    select id::text as id, parent_id::text as parent_id from dept_now where school_id = ${school_id} and dept_type = 4 and parent_id is not null order by grade, class_no limit 3`.execute(db)
  const { rows: [office] } = await sql<{ id: string }>`
    select d.id::text as id from dept_now d join live_staff s on s.school_id = ${school_id} and s.primary_dept_id = d.id where d.school_id = ${school_id} group by d.id order by count(*) desc, d.id limit 1`.execute(db)
  const [first, second, third] = classes
  if (!author || !first || !second || !third || !office) return
  const created_by = author.user_id
  await createPosts(work, posts(work.now, { created_by, classes: [first.id, second.id, third.id], office_id: office.id }))
  const { rows: older } = await sql<{ id: string }>`select id::text as id from dept_now where school_id = ${school_id} and dept_type = 4 and grade >= '13' order by grade, class_no limit 2`.execute(db)
  await createPosts(work, homeworks(work.now, created_by, older.map(one => one.id)))
  await fillResources(work, created_by)
  const { rows: [shown] } = await sql<{ id: string }>`select id::text as id from dept_now where school_id = ${school_id} and dept_name = ${shown_class}`.execute(db)
  if (shown) await createPosts(work, forThePhone(work.now, created_by, shown.id))
  const monday = mondayOf(today)
  const week = { held_from: monday, held_to: addDays(monday, 7) }
  // Nobody was given the flag last week.
  const [before, since] = [addDays(monday, -14), addDays(monday, -7)]
  const honour = { subject: 1, created_by, awarded_on: today, held_from: null, held_to: null }
  await createHonours(work, [
    { ...honour, ...week, dept_id: first.id, scope_dept_id: first.parent_id, honour_code: '2', title: '卫生流动红旗' },
    {
      ...honour, awarded_on: before, held_from: before, held_to: since, dept_id: second.id, scope_dept_id: second.parent_id,
      honour_code: '2', title: '卫生流动红旗',
    },
    { ...honour, ...week, dept_id: second.id, scope_dept_id: second.parent_id, honour_code: '3', title: '纪律流动红旗' },
    { ...honour, dept_id: third.id, scope_dept_id: third.parent_id, honour_code: '6', title: '书香班级' },
    { ...honour, subject: 2, dept_id: office.id, scope_dept_id: office.id, honour_code: '1', title: '先进教研组' },
  ])
  await createCanteen(work, { dishes, week_start: monday, days: Array.from({ length: 5 }, (_, at) => addDays(monday, at)), lunches, created_by })
}

type Sent = { created_by: string; classes: readonly [string, string, string]; office_id: string }

function posts(now: Date, { created_by, classes: [first, second, third], office_id }: Sent): PlannedPost[] {
  const ago = (hours: number) => new Date(now.getTime() - hours * hour_ms)
  const due_at = new Date(now.getTime() + 7 * day_ms)
  const plain = { scene: families, reply_kind: 0, form: [], created_by, due_at: null, unread_each: 6, answers: [] }
  const chosen = Array.from({ length: 12 }, (_, at): PlannedPost['answers'][number] => (at % 4 === 3 ? { f1: '不参加' } : { f1: '参加', f2: [courses[at % 5] ?? '', courses[(at + 2) % 5] ?? ''] }))
  const people = Array.from({ length: 8 }, (_, at) => ({ f1: `${'王李张刘陈杨赵黄'[at] ?? ''}家长`, f2: `1380000${String(1001 + at)}` }))
  return [
    { ...plain, kind: '1', title: '冬季作息时间调整', paragraphs: ['各位家长：', '从下周一起，早到校时间调整为7:40，下午放学时间调整为16:30。请合理安排接送。'], dept_id: first, sent_at: ago(50) },
    { ...plain, kind: '9', title: '冬季防火与用电安全提醒', paragraphs: ['天气干燥，请不要在室内使用明火，离家前请关闭电器电源。'], reply_kind: 1, dept_id: second, sent_at: ago(26), unread_each: 4 },
    { ...plain, kind: '7', title: '期中家长会邀请', paragraphs: ['家长会定于本周五16:30在各班教室举行，请准时参加。'], reply_kind: 1, dept_id: third, sent_at: ago(5), unread_each: 2, due_at },
    { ...plain, kind: '5', title: '课后服务需求调查', paragraphs: ['请按孩子的实际情况填写，结果只用于安排课程。'], reply_kind: 3, form: survey_form, dept_id: first, sent_at: ago(30), due_at, unread_each: 5, answers: chosen },
    {
      ...plain, kind: '4', title: '亲子阅读打卡', paragraphs: ['每天与孩子一起阅读20分钟，读完后写一句感受。'], reply_kind: 4, dept_id: second,
      sent_at: ago(check_in_days * 24), due_at, unread_each: 4, answers: Array.from({ length: 9 }, () => ({})),
      check_in: { from: dayOf(ago(check_in_days * 24)), to: dayOf(due_at), weekdays: [1, 2, 3, 4, 5], skip_holiday: true, daily_until: null },
    },
    { ...plain, kind: '1', title: '元旦放假安排（待发布）', paragraphs: ['放假时间待教育局文件下发后确定。'], dept_id: first, sent_at: null },
    { ...plain, scene: colleagues, kind: '1', title: '周五教研活动安排', paragraphs: ['本周五第七节在会议室集体备课，请带好教案。'], dept_id: office_id, sent_at: ago(20), unread_each: 3 },
    { ...plain, kind: '6', title: '紧急联系人信息核对', paragraphs: ['请填写除父母外的一位紧急联系人。'], reply_kind: 3, form: address_form, dept_id: second, sent_at: ago(40), due_at, unread_each: 5, answers: people },
  ]
}

/** What the demo parent and pupil find on their phones, unread: one to sign, one to fill in, one homework. */
function forThePhone(now: Date, created_by: string, dept_id: string): PlannedPost[] {
  const due_at = new Date(now.getTime() + 3 * day_ms)
  const unread = { scene: families, form: [], dept_id, created_by, due_at, unread_each: 1, answers: [] }
  const sent = (hours: number) => new Date(now.getTime() - hours * hour_ms)
  return [
    { ...unread, kind: '10', reply_kind: 2, title: '元旦放假安全责任书', paragraphs: ['元旦放假1月1日至3日，请与孩子一起学习安全须知，并手写签名确认。'], sent_at: sent(6) },
    { ...unread, kind: '5', reply_kind: 3, form: survey_form, title: '选修课意向调查', paragraphs: ['请按孩子的意愿填写。'], sent_at: sent(4) },
    { ...unread, kind: '3', reply_kind: 4, title: '数学：函数单调性练习', paragraphs: ['课本第38页1至6题。'], homework: { subject: '13', est_minutes: 40 }, sent_at: sent(3) },
  ]
}

/** Homework of two classes over four days, one day of them close to the limit. */
function homeworks(now: Date, created_by: string, classes: readonly string[]): PlannedPost[] {
  const set = [['口算练习第12页', '13', 20, 0], ['生字抄写与朗读', '14', 30, 0], ['应用题三道', '13', 25, 1], ['阅读摘抄', '14', 20, 1], ['单元复习卷', '13', 35, 2], ['英语听读', '15', 20, 2], ['周末日记', '14', 30, 3]] as const
  return classes.flatMap(dept_id => set.map(([title, subject, est_minutes, day], at): PlannedPost => ({
    scene: families, kind: '3', reply_kind: 4, form: [], title, paragraphs: [`请完成${title}，完成后提交。`], dept_id, created_by, homework: { subject, est_minutes },
    sent_at: new Date(now.getTime() - (30 - at) * hour_ms), due_at: new Date(now.getTime() + (day - 1) * day_ms), unread_each: 5 + at, answers: Array.from({ length: 18 - at }, () => ({})),
  })))
}

const dishes = ([
  ['红烧鸡腿', '1', '鸡腿、姜、葱', 320, 800, 6], ['清蒸鲈鱼', '1', '鲈鱼、姜、葱', 210, 1000, 3], ['土豆烧牛肉', '1', '牛肉、土豆', 340, 1000, 0],
  ['番茄炒蛋', '2', '番茄、鸡蛋', 180, 400, 4], ['鱼香肉丝', '2', '猪肉、胡萝卜、木耳', 240, 500, 6], ['清炒西兰花', '3', '西兰花、蒜', 90, 300, 0], ['蒜蓉菠菜', '3', '菠菜、蒜', 80, 300, 0],
  ['紫菜蛋花汤', '4', '紫菜、鸡蛋', 60, 100, 4], ['冬瓜排骨汤', '4', '冬瓜、排骨', 130, 300, 0], ['米饭', '5', '大米', 230, 100, 0], ['苹果', '7', '苹果', 95, 200, 0],
] as const).map(([name, dish_kind, ingredients, kcal, price_fen, allergen]) => ({ name, dish_kind, ingredients, kcal, price_fen, allergens: [allergen] }))
/** Lunches of the week, by the place of a dish in the list. */
const lunches = [[0, 3, 5, 7, 9, 10], [2, 4, 6, 8, 9], [1, 3, 6, 7, 9, 10], [0, 4, 5, 8, 9], [2, 3, 6, 7, 9, 10]]

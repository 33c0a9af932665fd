import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { approvalApi } from '@campus/approval/contract'
import { applyApi, formApi, mineApi, reasonApi, recordApi, taskApi } from '@campus/leave/contract'
import type { FlowStep } from '@campus/leave/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { followPresence } from './apply/presence.ts'
import { endingTimer } from './apply/timers.ts'

const { a: school_id } = test_schools
const minute_ms = 60_000
const day_ms = 86_400_000
let app: TestApp
let me: TestUser
let first: TestUser
let second: TestUser
let teacher: TestUser
let pupils: string[]
let reason_code: string
let form_id: string

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  first = await app.as({ school_id, codes: [] })
  second = await app.as({ school_id, codes: [] })
  await hire([first, second])
  pupils = await makePupils()
  reason_code = dataOf(reasonApi.add, await app.call(reasonApi.add, { reason_name: '就医', person_kinds: [1] }, as())).reason_code
  form_id = await publish('学生请假', [step([first.user_id])])
})
afterAll(() => app.close())

type PeopleHandle = Parameters<typeof createDepts>[0]
const as = (who: TestUser = me) => ({ token: who.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const step = (resolver_ids: string[], more: Partial<FlowStep> = {}) => ({ mode: 1, resolver: 8, resolver_ids, when: {}, remind_min: 30, escalate_min: 120, ...more })
const tenant = <R>(act: (db: PeopleHandle) => Promise<R>) => app.running.database.tenant(school_id, act)

/** Two classes with four pupils each; a class teacher's identity for the first. */
async function makePupils(): Promise<string[]> {
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  const made = await tenant(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const ids = await createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
      { key: 'class 1', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
      { key: 'class 2', parent: 'grade', dept_name: '三年级2班', dept_type: 4, class_no: 2, ...cohort },
    ], '2026-09-01')
    const drafts = Array.from({ length: 8 }, (_, at) => ({ user_name: `学生${at}`, student_no: `S00${at}`, sex: '1', enrol_month: '202409', dept_id: ids.get(at < 4 ? 'class 1' : 'class 2') ?? '', from: '2026-09-01' }))
    return { class_1: ids.get('class 1') ?? '', enrolled: await enrolStudents(db, app.running.app.secrets, school_id, drafts) }
  })
  teacher = await app.as({ school_id, codes: ['leave.apply.view', 'leave.apply.add', 'leave.apply.export', 'leave.record.view'], scope: 'custom', scope_ids: [made.class_1] })
  return made.enrolled
}

/** Test users that are members of staff. */
async function hire(users: TestUser[]): Promise<void> {
  await tenant(async db => {
    for (const { user_id, user_no } of users) {
      await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${user_id}, ${`老师${user_no}`}, 'laoshi', 'ls', '1')`.execute(db)
      await sql`insert into staff (school_id, user_id, teacher_no, kind, join_month) values (${school_id}, ${user_id}, ${user_no}, '11', '202609')`.execute(db)
      await sql`insert into staff_span (school_id, user_id, state, valid_from, open_kind) values (${school_id}, ${user_id}, '11', '2026-09-01', 'IN')`.execute(db)
    }
  })
}

async function publish(form_name: string, steps: FlowStep[]): Promise<string> {
  const design = { leave_types: ['1', '2'], unit: 3, min_minutes: 15, max_minutes: 30 * 1440, advance_min: 0, backdate_days: 3, exit_mode: 1, meal: true, bus: true, auto_return: true, late_grace_min: 60, attach_from_days: null, no_approval: false, fallback_user_ids: [first.user_id], steps }
  const saved = dataOf(formApi.save, await app.call(formApi.save, { form_name, person_kind: 1, design }, as()))
  dataOf(formApi.publish, await app.call(formApi.publish, saved, as()))
  return saved.form_id
}

const at = (day: number, clock: string) => `${new Date(app.clock.now().getTime() + 8 * 3_600_000 + day * day_ms).toISOString().slice(0, 10)}T${clock}:00+08:00`
const wish = (user_id: string, begin: string, end: string, more: object = {}) => ({ form_id, leave_type: '2', reason_code, reason: '去医院看牙', spans: [{ begin, end }], user_ids: [user_id], ...more })
const ask = (user_id: string, begin: string, end: string, more: object = {}, who: TestUser = me) => app.call(applyApi.add, wish(user_id, begin, end, more), as(who))
const asked = async (user_id: string, begin: string, end: string, more: object = {}) => dataOf(applyApi.add, await ask(user_id, begin, end, more))
const todo = async (who: TestUser) => dataOf(taskApi.page, await app.call(taskApi.page, {}, as(who))).list
const taskOf = async (who: TestUser, leave_id: string) => (await todo(who)).find(one => one.leave_id === leave_id) ?? { task_id: '0', version: 1 }
const verdict = async (who: TestUser, leave_id: string, opinion?: string) => {
  const { task_id, version } = await taskOf(who, leave_id)
  return { task_id, version, ...(opinion === undefined ? {} : { opinion }) }
}
const pass = async (who: TestUser, leave_id: string) => dataOf(taskApi.pass, await app.call(taskApi.pass, await verdict(who, leave_id), as(who)))
const file = async (leave_id: string) => dataOf(applyApi.read, await app.call(applyApi.read, { leave_id }, as()))
const inForce = (user_id: string) => tenant(async db => (await sql<{ leave_id: string; state: number }>`select leave_id::text as leave_id, state::int as state from leave_span_v where school_id = ${school_id} and user_id = ${user_id} order by begin_at`.execute(db)).rows)

describe('asking', () => {
  test('70-A1 fifty overlapping applications at once leave one; halves of a day meet, a half and the whole day do not', async () => {
    const [pupil = ''] = pupils
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(pupil, at(3, '10:00'), at(3, '11:00'))))
    const made = answers.filter(answer => answer.status === 200).map(answer => dataOf(applyApi.add, answer))
    expect(made).toHaveLength(1)
    expect(answers.filter(answer => answer.status !== 200).map(refusal)).toEqual(Array.from({ length: 49 }, () => [409, 'leave.overlap', `与请假单${made[0]?.leave_no}时间重叠`]))
    const half = (part: string, day: number) => ask(pupil, at(day, '00:00'), at(day, '12:00'), { spans: [{ begin: at(day, '00:00'), end: at(day, '12:00'), half: part }] })
    expect([(await half('am', 5)).status, (await half('pm', 5)).status, (await half('day', 5)).status]).toEqual([200, 200, 409])
  })

  test('rules of the form are said at the field; nothing is written', async () => {
    const [, pupil = ''] = pupils
    expect(refusal(await ask(pupil, at(-9, '10:00'), at(-9, '11:00')))).toEqual([422, 'leave.tooLate', '只能补请3天内的假'])
    expect(refusal(await ask(pupil, at(1, '10:00'), at(1, '10:05')))).toEqual([422, 'leave.length', '请假时长须在15分钟-30天之间'])
    expect(refusal(await ask(pupil, at(1, '11:00'), at(1, '10:00')))).toEqual([422, 'leave.spanOrder', '结束时间必须晚于开始时间'])
    expect(refusal(await ask(pupil, at(1, '10:00'), at(1, '11:00'), { leave_type: '8' }))).toEqual([422, 'leave.typeUnfit', '该表单没有所选假别，请重新选择'])
    expect(refusal(await ask(pupil, at(1, '10:00'), at(1, '11:00'), { exit_mode: 2 }))).toEqual([422, 'leave.needPickup', '请选择接送人'])
    const preview = dataOf(applyApi.preview, await app.call(applyApi.preview, wish(pupil, at(1, '10:00'), at(1, '11:00')), as()))
    expect(preview).toMatchObject({ minutes: 60, overlap: null, refusal: null, steps: [{ seq: 1, is_fallback: false, assignees: [{ user_id: first.user_id }] }], effects: [{ effect: 'message' }] })
  })

  test('70-A11 a class teacher sees and asks for his own class alone; reasons are for those who may read them', async () => {
    const [, , own = '', , foreign = ''] = pupils
    await asked(foreign, at(4, '10:00'), at(4, '11:00'), { reason: '金丝雀事由' })
    await asked(own, at(4, '10:00'), at(4, '11:00'), { reason: '金丝雀事由' })
    const page = await app.call(applyApi.page, {}, as(teacher))
    expect(dataOf(applyApi.page, page).list.map(row => row.user_id)).not.toContain(foreign)
    expect(new TextDecoder().decode(page.bytes)).not.toContain('金丝雀')
    expect((await ask(foreign, at(6, '10:00'), at(6, '11:00'), {}, teacher)).status).toBe(404)
    const week = dataOf(recordApi.week, await app.call(recordApi.week, { date: at(4, '10:00').slice(0, 10) }, as(teacher)))
    expect(week.cells.every(cell => cell.dept_id === week.classes[0]?.dept_id)).toBe(true)
  })
})

describe('deciding', () => {
  test('70-A6 of two who decide at once one does, the other reads who; one refusal ends a step for all', async () => {
    const [, pupil = ''] = pupils
    const any = await publish('任一', [step([first.user_id, second.user_id])])
    const all = await publish('全部', [step([first.user_id, second.user_id], { mode: 2 })])
    const { leave_id } = await asked(pupil, at(7, '10:00'), at(7, '11:00'), { form_id: any })
    const both = await Promise.all([first, second].map(async who => app.call(taskApi.pass, await verdict(who, leave_id), as(who))))
    expect(both.map(answer => answer.status).toSorted()).toEqual([200, 409])
    expect(both.find(answer => answer.status === 409)?.body.msg).toMatch(/^该审批已由.+处理$/u)
    const refused = await asked(pupil, at(8, '10:00'), at(8, '11:00'), { form_id: all })
    expect(refusal(await app.call(taskApi.refuse, await verdict(first, refused.leave_id), as(first)))).toEqual([400, 'leave.opinionMissing', '请填写意见'])
    dataOf(taskApi.refuse, await app.call(taskApi.refuse, await verdict(first, refused.leave_id, '缺少证明'), as(first)))
    expect(await file(refused.leave_id)).toMatchObject({ state: 3, tasks: [{ state: 3 }, { state: 6 }] })
    expect((await asked(pupil, at(8, '10:00'), at(8, '11:00'))).state).toBe(1)
  })

  test('70-A2 70-A3 agreed to it is in force for everybody who reads leave_span_v; cancelled before it begins nothing is left', async () => {
    const [, , , pupil = ''] = pupils
    const { leave_id } = await asked(pupil, at(9, '10:00'), at(9, '11:00'))
    expect(await inForce(pupil)).toEqual([])
    expect(await pass(first, leave_id)).toMatchObject({ state: 2, fact_version: 1 })
    expect(await inForce(pupil)).toEqual([{ leave_id, state: 2 }])
    await app.checksum()
    expect((await file(leave_id)).effects).toMatchObject([{ effect: 'message', title: '通知家长和班主任' }])
    dataOf(applyApi.cancel, await app.call(applyApi.cancel, { leave_id }, as()))
    expect(await inForce(pupil)).toEqual([])
    expect(refusal(await app.call(applyApi.cancel, { leave_id }, as()))).toEqual([409, 'leave.badState', '当前状态不能进行此操作，请刷新后查看'])
  })

  test('what waits stands in the one list too, and is decided there with the same refusals', async () => {
    const pupil = pupils[5] ?? ''
    const { leave_id } = await asked(pupil, at(9, '10:00'), at(9, '11:00'))
    const { list } = dataOf(approvalApi.list, await app.call(approvalApi.list, {}, as(first)))
    const { task_id, version } = await taskOf(first, leave_id)
    expect(list.find(item => item.item_id === task_id)).toMatchObject({ source: 'leave', source_title: '请假', title: '学生5 病假' })
    const act = (action: string) => app.call(approvalApi.act, { source: 'leave', item_id: task_id, version, action }, as(first))
    expect([refusal(await act('refuse'))[1], (await act('pass')).status, refusal(await act('pass'))[1]]).toEqual(['leave.opinionMissing', 200, 'leave.taskDone'])
  })
})

describe('afterwards', () => {
  test('70-A4 gone out and back before the end: the leave ends with the pass at the gate', async () => {
    const pupil = pupils[6] ?? ''
    const now = app.clock.now()
    const iso = (minutes: number) => new Date(now.getTime() + minutes * minute_ms).toISOString()
    const { leave_id } = await asked(pupil, iso(-30), iso(60))
    await pass(first, leave_id)
    const observe = (is_inside: boolean, minutes: number) => tenant(db => followPresence({ app: app.running.app, db, school_id, now }, { user_id: pupil, is_inside, at: new Date(now.getTime() + minutes * minute_ms) }))
    await observe(false, -20)
    expect(await inForce(pupil)).toEqual([{ leave_id, state: 6 }])
    await observe(true, -5)
    const after = await file(leave_id)
    expect(after).toMatchObject({ state: 5, fact_version: 2, members: [{ back_basis: 1, spans: [{ end_at: iso(-5) }] }], versions: [{ kind: 1 }, { kind: 5, state: 1 }] })
    await observe(false, -1)
    expect((await file(leave_id)).state).toBe(5)
  })

  test('a change waits beside what is in force and is looked at again when it is agreed to; ending early needs nobody', async () => {
    const pupil = pupils[7] ?? ''
    const now = app.clock.now().getTime()
    const iso = (minutes: number) => new Date(now + minutes * minute_ms).toISOString()
    const { leave_id } = await asked(pupil, iso(-30), iso(120))
    await pass(first, leave_id)
    const longer = { leave_id, spans: [{ begin: iso(-30), end: iso(300) }], reason: '医生建议观察' }
    dataOf(applyApi.extend, await app.call(applyApi.extend, longer, as()))
    expect(refusal(await app.call(applyApi.change, longer, as()))).toEqual([409, 'leave.changing', '该请假单有待审批的变更'])
    expect((await file(leave_id)).members[0]?.spans[0]?.end_at).toBe(iso(120))
    expect(await pass(first, leave_id)).toMatchObject({ state: 2, fact_version: 2 })
    expect((await file(leave_id)).members[0]?.spans[0]?.end_at).toBe(iso(300))
    dataOf(applyApi.endEarly, await app.call(applyApi.endEarly, { leave_id, end: iso(30) }, as()))
    expect(await file(leave_id)).toMatchObject({ fact_version: 3, members: [{ spans: [{ end_at: iso(30) }] }] })
    dataOf(applyApi.void, await app.call(applyApi.void, { leave_id, reason: '登记错误' }, as()))
    expect([await inForce(pupil), (await file(leave_id)).state]).toEqual([[], 4])
  })

  test('70-A5 who is out after the end and the grace is late; who never left has ended his leave', async () => {
    const [pupil = '', stays = ''] = [pupils[6], pupils[7]]
    const now = app.clock.now()
    const iso = (minutes: number) => new Date(now.getTime() + minutes * minute_ms).toISOString()
    const [out, home] = [await asked(pupil, iso(-3), iso(27)), await asked(stays, iso(-3), iso(27))]
    for (const { leave_id } of [out, home]) await pass(first, leave_id)
    await tenant(db => followPresence({ app: app.running.app, db, school_id, now }, { user_id: pupil, is_inside: false, at: now }))
    const later = new Date(now.getTime() + 90 * minute_ms)
    for (const { leave_id } of [out, home]) await app.running.database.tenant<unknown, unknown>(school_id, db => endingTimer.run(db, { app: app.running.app, school_id, ref: `${leave_id}:1`, now: later }))
    expect([(await file(out.leave_id)).state, (await file(home.leave_id)).state]).toEqual([8, 5])
    const overdue = dataOf(applyApi.page, await app.call(applyApi.page, { overdue: '1' }, as())).list
    expect(overdue.map(row => row.leave_id)).toEqual([out.leave_id])
  })
})

test('70-A8 a form with a hole is not published and the sentence names it; a new version changes no running leave', async () => {
  const steps = [step([first.user_id], { when: { minutes_to: 1440 } })]
  const design = { leave_types: ['1'], unit: 1, min_minutes: 60, max_minutes: 4320, advance_min: 0, backdate_days: 3, exit_mode: 1, meal: true, bus: true, auto_return: true, late_grace_min: 60, attach_from_days: null, no_approval: false, fallback_user_ids: [first.user_id], steps }
  const saved = dataOf(formApi.save, await app.call(formApi.save, { form_name: '有缺口', person_kind: 1, design }, as()))
  expect(refusal(await app.call(formApi.publish, saved, as()))).toEqual([422, 'leave.flowGap', '事假1天没有审批人'])
  const [, , pupil = ''] = pupils
  const { leave_id } = await asked(pupil, at(11, '10:00'), at(11, '11:00'))
  const form = dataOf(formApi.read, await app.call(formApi.read, { form_id }, as()))
  const changed = { form_id, form_name: form.form_name, person_kind: 1 as const, design: { ...form.draft, steps: [step([second.user_id])] }, row_version: form.row_version }
  const next = dataOf(formApi.save, await app.call(formApi.save, changed, as()))
  expect(dataOf(formApi.publish, await app.call(formApi.publish, next, as()))).toMatchObject({ version: 2 })
  expect((await file(leave_id)).steps[0]?.assignees[0]?.user_id).toBe(first.user_id)
  const tried = dataOf(formApi.simulate, await app.call(formApi.simulate, { form_id, user_id: pupil, leave_type: '2', begin: at(12, '10:00'), end: at(12, '11:00') }, as()))
  const sent = await asked(pupil, at(12, '10:00'), at(12, '11:00'))
  expect((await file(sent.leave_id)).steps.map(one => one.assignees)).toEqual(tried.steps.map(one => one.assignees))
})

test('a guardian asks on the phone for his own child alone, and follows it there', async () => {
  const parent = await app.as({ school_id, codes: [] })
  const [, , , child = '', other = ''] = pupils
  await tenant(async db => {
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${parent.user_id}, '家长甲', 'jiazhangjia', 'jzj', '2')`.execute(db)
    await sql`insert into parent (school_id, user_id) values (${school_id}, ${parent.user_id})`.execute(db)
    await sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, valid_from) values (${school_id}, ${child}, ${parent.user_id}, '52', '2026-09-01')`.execute(db)
  })
  const mine = (user_id: string) => app.call(mineApi.add, wish(user_id, at(13, '10:00'), at(13, '11:00')), as(parent))
  expect([(await mine(other)).status, (await mine(child)).status]).toEqual([404, 200])
  const { list } = dataOf(mineApi.list, await app.call(mineApi.list, {}, as(parent)))
  expect(list[0]).toMatchObject({ user_id: child, state: 1 })
  dataOf(mineApi.withdraw, await app.call(mineApi.withdraw, { leave_id: list[0]?.leave_id ?? '' }, as(parent)))
  expect(dataOf(mineApi.read, await app.call(mineApi.read, { leave_id: list[0]?.leave_id ?? '' }, as(parent)))).toMatchObject({ state: 4, reason: '去医院看牙' })
})

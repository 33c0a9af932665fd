import { dataOf, startTestApp, test_schools, upload } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { importApi } from '@campus/jobs/contract'
import { applyApi, formApi, mineApi, quotaApi, reasonApi, recordApi, taskApi } from '@campus/leave/contract'
import type { FlowStep } from '@campus/leave/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { writeTemplate } from '@kit/server/excel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { peopleConsumers } from './follow.ts'

const { a: school_id } = test_schools
const minute_ms = 60_000
const dot = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64')
/** A Tuesday; without a term every day but the weekend is a day of work. */
const begin = '2026-09-08T09:00:00+08:00'
let app: TestApp
let me: TestUser
let approver: TestUser
let stand_in: TestUser
let parent: TestUser
let pupils: string[]
let form_id: string
let staff_form: string
let reason_code: string

type PeopleHandle = Parameters<typeof createDepts>[0]
const as = (who: TestUser = me) => ({ token: who.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const tenant = <R>(act: (db: PeopleHandle) => Promise<R>) => app.running.database.tenant(school_id, act)
const rules = {
  unit: 3,
  min_minutes: 15,
  max_minutes: 30 * 1440,
  advance_min: 0,
  backdate_days: 3,
  exit_mode: 1,
  meal: true,
  bus: true,
  auto_return: true,
  late_grace_min: 60,
  attach_from_days: null,
  no_approval: false,
}

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo(begin)
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  approver = await app.as({ school_id, codes: [] })
  stand_in = await app.as({ school_id, codes: [] })
  parent = await app.as({ school_id, codes: [] })
  await hire([approver, stand_in])
  pupils = await makePupils()
  reason_code = dataOf(
    reasonApi.add,
    await app.call(reasonApi.add, { reason_name: '就医', person_kinds: [1, 2], need_attach: false }, as()),
  ).reason_code
  form_id = await publish('学生请假', 1, { leave_types: ['1', '2'] })
  staff_form = await publish('教职工请假', 2, { leave_types: ['03'], quota_code: '03' })
})
afterAll(() => app.close())

async function makePupils(): Promise<string[]> {
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  return tenant(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const ids = await createDepts(
      db,
      school_id,
      [
        { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
        { key: 'class', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
      ],
      '2026-09-01',
    )
    const drafts = Array.from({ length: 4 }, (_, at) => ({
      user_name: `学生${at}`,
      student_no: `S00${at}`,
      sex: '1',
      enrol_month: '202409',
      dept_id: ids.get('class') ?? '',
      from: '2026-09-01',
    }))
    const enrolled = await enrolStudents(db, app.running.app.secrets, school_id, drafts)
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${parent.user_id}, '家长甲', 'jiazhangjia', 'jzj', '2')`.execute(
      db,
    )
    await sql`insert into parent (school_id, user_id) values (${school_id}, ${parent.user_id})`.execute(db)
    await sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, valid_from) values (${school_id}, ${enrolled[0] ?? ''}, ${parent.user_id}, '52', '2026-09-01')`.execute(
      db,
    )
    return enrolled
  })
}

async function hire(users: TestUser[]): Promise<void> {
  await tenant(async db => {
    for (const { user_id, user_no } of users) {
      await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${user_id}, ${`审批${user_no}`}, 'shenpi', 'sp', '1')`.execute(
        db,
      )
      await sql`insert into staff (school_id, user_id, teacher_no, kind, join_month) values (${school_id}, ${user_id}, ${user_no}, '11', '202609')`.execute(
        db,
      )
      await sql`insert into staff_span (school_id, user_id, state, valid_from, open_kind) values (${school_id}, ${user_id}, '11', '2026-09-01', 'IN')`.execute(
        db,
      )
    }
  })
}

type Design = { leave_types: string[]; quota_code?: string; steps?: FlowStep[] }
async function publish(form_name: string, person_kind: 1 | 2, more: Design): Promise<string> {
  const steps: FlowStep[] = [{ mode: 1, resolver: 8, resolver_ids: [approver.user_id], when: {}, remind_min: 30, escalate_min: 120 }]
  const saved = dataOf(
    formApi.save,
    await app.call(
      formApi.save,
      { form_name, person_kind, design: { ...rules, fallback_user_ids: [stand_in.user_id], steps, ...more } },
      as(),
    ),
  )
  dataOf(formApi.publish, await app.call(formApi.publish, saved, as()))
  return saved.form_id
}

/** Minutes after the moment at which the test's day begins; the clock goes on meanwhile. */
const at = (minutes: number) => new Date(Date.parse(begin) + minutes * minute_ms).toISOString()
const wish = (user_id: string, from: number, to: number, more: object = {}) => ({
  form_id,
  leave_type: '2',
  reason_code,
  reason: '去医院看牙',
  spans: [{ begin: at(from), end: at(to) }],
  user_ids: [user_id],
  ...more,
})
const asked = async (...given: Parameters<typeof wish>) => dataOf(applyApi.add, await app.call(applyApi.add, wish(...given), as()))
const file = async (leave_id: string, who = me) => dataOf(applyApi.read, await app.call(applyApi.read, { leave_id }, as(who)))
const todo = async (who: TestUser) => dataOf(taskApi.page, await app.call(taskApi.page, {}, as(who))).list
const inForce = (user_id: string) =>
  tenant(
    async db =>
      (
        await sql<{
          begin_at: Date
          end_at: Date
          state: number
        }>`select begin_at, end_at, state::int as state from leave_span_v where school_id = ${school_id} and user_id = ${user_id}`.execute(
          db,
        )
      ).rows,
  )
async function pass(leave_id: string, who = approver) {
  const task = (await todo(who)).find(one => one.leave_id === leave_id)
  return dataOf(taskApi.pass, await app.call(taskApi.pass, { task_id: task?.task_id ?? '0', version: task?.version ?? 1 }, as(who)))
}

test('a proof travels with the application: its own uploader, those who decide and nobody else open it', async () => {
  const [child = '', other = ''] = pupils
  const uploader = await app.as({ school_id, codes: 'all' })
  const form = dataOf(mineApi.uploadForm, await app.call(mineApi.uploadForm, {}, as(parent)))
  expect(form.dir).toMatch(new RegExp(`^${school_id}/${parent.user_id}/`, 'u'))
  const strict = dataOf(
    reasonApi.add,
    await app.call(reasonApi.add, { reason_name: '住院', person_kinds: [1], need_attach: true }, as()),
  ).reason_code
  expect(refusal(await app.call(applyApi.add, wish(other, 60, 120, { reason_code: strict }), as()))).toEqual([
    422,
    'leave.needAttach',
    '请上传证明材料',
  ])
  const key = await upload(app, me, { purpose: 'person_file', name: 'note.png', body: dot })
  expect((await app.call(applyApi.add, wish(other, 60, 120, { attach_keys: [key] }), as(uploader))).status).toBe(404)
  const { leave_id } = await asked(other, 60, 120, { reason_code: strict, attach_keys: [key] })
  const [proof] = (await file(leave_id)).attachments ?? []
  expect((await fetch(new URL(proof?.url ?? '', app.url))).status).toBe(200)
  const waiting = (await todo(approver)).find(one => one.leave_id === leave_id)
  expect(waiting?.proofs).toBe(1)
  const looker = await app.as({ school_id, codes: ['leave.apply.view'] })
  expect((await file(leave_id, looker)).attachments).toBeNull()
  dataOf(mineApi.list, await app.call(mineApi.list, {}, as(parent)))
  expect(child).not.toBe('')
})

/** A form that goes to the class teacher, who is the approver. */
async function classTeacherForm(): Promise<{ form_id: string }> {
  await tenant(db => sql`insert into dept_duty (school_id, dept_id, user_id, duty, valid_from)
    select ${school_id}, s.dept_id, ${approver.user_id}, 'head', '2026-09-01' from live_student s
    where s.school_id = ${school_id} and s.user_id = ${pupils[0] ?? ''}`.execute(db))
  const steps = [{ mode: 1, resolver: 2, resolver_ids: [], when: {}, remind_min: 30, escalate_min: 120 }]
  return { form_id: await publish('班主任批假', 1, { leave_types: ['1', '2'], steps }) }
}

/** Where the console shows somebody's leave of the day: in the list, in the ribbon of the week, in the summary of the month. */
async function shownOf(user_id: string) {
  const { list } = dataOf(applyApi.page, await app.call(applyApi.page, { user_id }, as()))
  const { cells } = dataOf(recordApi.week, await app.call(recordApi.week, { date: '2026-09-08' }, as()))
  const month = dataOf(recordApi.page, await app.call(recordApi.page, { from: '2026-09-01', to: '2026-09-30' }, as()))
  const people = cells.filter(cell => cell.day === '2026-09-08').map(cell => cell.people)
  return { list: list.map(row => row.state), people, times: month.list.filter(row => row.user_id === user_id).map(row => row.times) }
}

test('a day of leave: asked on the phone, agreed to by the class teacher, seen in list, week and summary, changed, back early, cancelled', async () => {
  const [child = ''] = pupils
  const form = await classTeacherForm()
  const preview = dataOf(mineApi.preview, await app.call(mineApi.preview, wish(child, 10, 60, form), as(parent)))
  expect(preview).toMatchObject({ refusal: null, overlap: null, minutes: 50 })
  expect(preview.effects.map(one => one.effect)).toContain('message')
  const { leave_id } = dataOf(mineApi.add, await app.call(mineApi.add, wish(child, 10, 60, form), as(parent)))
  expect(await inForce(child)).toEqual([])
  await pass(leave_id)
  expect(await shownOf(child)).toEqual({ list: [2], people: [1], times: [1] })
  expect((await file(leave_id)).effects.map(one => one.effect)).toEqual(preview.effects.map(one => one.effect).toSorted())
  dataOf(
    mineApi.change,
    await app.call(mineApi.change, { leave_id, reason: '医院改约', spans: [{ begin: at(10), end: at(90) }] }, as(parent)),
  )
  expect((await inForce(child)).map(one => one.end_at.toISOString())).toEqual([at(60)])
  await pass(leave_id)
  expect((await inForce(child)).map(one => one.end_at.toISOString())).toEqual([at(90)])
  // A session that rests for long ends: the clock goes on by minutes.
  app.clock.setTo('2026-09-08T09:20:00+08:00')
  dataOf(applyApi.return, await app.call(applyApi.return, { leave_id }, as()))
  const { state, members } = await file(leave_id)
  expect([state, members[0]?.back_basis, members[0]?.spans[0]?.end_at.slice(0, 16)]).toEqual([5, 2, '2026-09-08T01:20'])
  const next = dataOf(mineApi.add, await app.call(mineApi.add, wish(child, 1440, 1500), as(parent)))
  await pass(next.leave_id)
  dataOf(mineApi.cancel, await app.call(mineApi.cancel, { leave_id: next.leave_id }, as(parent)))
  expect((await inForce(child)).map(one => one.state)).toEqual([5])
})

test('the keeper of the dormitory decides his step, and while there is none who stands in does', async () => {
  const steps = [{ mode: 1, resolver: 4, resolver_ids: [], when: {}, remind_min: 30, escalate_min: 120 }]
  const dorm_form = await publish('住校生请假', 1, { leave_types: ['1', '2'], steps })
  const [, , , child = ''] = pupils
  const planned = async () => {
    const asked_for = wish(child, 3000, 3100, { form_id: dorm_form })
    return dataOf(applyApi.preview, await app.call(applyApi.preview, asked_for, as())).steps.map(one => [one.is_fallback, one.assignees.map(who => who.user_id)])
  }
  expect(await planned()).toEqual([[true, [stand_in.user_id]]])
  const keeper = await app.as({ school_id, codes: [], role_code: 'SYS001_Dorm' })
  await hire([keeper])
  expect(await planned()).toEqual([[false, [keeper.user_id]]])
})

test('70-A7 an approver who leaves hands his tasks to those who stand in; no task is without somebody who is here', async () => {
  const { leave_id } = await asked(pupils[2] ?? '', 2000, 2100)
  const departed = peopleConsumers.find(one => one.name === 'leave.person_departed')
  await tenant(db =>
    sql`update staff_span set valid_to = '2026-09-07' where school_id = ${school_id} and user_id = ${approver.user_id}`.execute(db),
  )
  await app.running.database.tenant<unknown, unknown>(school_id, db =>
    Promise.resolve(departed?.handle({ app: app.running.app, db, school_id, now: app.clock.now() }, [{ user_ids: [approver.user_id] }])),
  )
  const { rows } = await tenant(db =>
    sql<{
      assignee: string
      via: number
    }>`select assignee::text as assignee, via::int as via from leave_task where school_id = ${school_id} and state = 0 and leave_id = ${leave_id}`.execute(
      db,
    ),
  )
  expect(rows).toContainEqual({ assignee: stand_in.user_id, via: 6 })
  const orphans = await tenant(db =>
    sql`select t.task_id from leave_task t where t.school_id = ${school_id} and t.state = 0 and t.assignee = ${approver.user_id}`.execute(
      db,
    ),
  )
  expect(orphans.rows).toEqual([])
  await tenant(db =>
    sql`update staff_span set valid_to = null where school_id = ${school_id} and user_id = ${approver.user_id}`.execute(db),
  )
})

test('70-A10 of twenty who ask at once for a day of five, five get one; the entries add up to the balance, and what is not used comes back once', async () => {
  const { user_id } = stand_in
  dataOf(quotaApi.give, await app.call(quotaApi.give, { user_id, quota_code: '03', days: 5 }, as()))
  const days = Array.from({ length: 20 }, (_, nth) => nth + 1).filter(
    nth => ![0, 6].includes(new Date(Date.parse(begin) + nth * 1440 * minute_ms).getUTCDay()),
  )
  const day = (nth: number) => new Date(Date.parse(begin) + nth * 1440 * minute_ms).toISOString().slice(0, 10)
  const ask = (nth: number) =>
    app.call(
      applyApi.add,
      {
        form_id: staff_form,
        leave_type: '03',
        reason_code,
        reason: '休年假',
        user_ids: [user_id],
        spans: [{ begin: `${day(nth)}T09:00:00+08:00`, end: `${day(nth)}T10:00:00+08:00`, half: 'day' as const }],
      },
      as(),
    )
  const answers = await Promise.all([...days, ...days.map(nth => nth + 28)].slice(0, 20).map(ask))
  const made = answers.filter(answer => answer.status === 200).map(answer => dataOf(applyApi.add, answer))
  expect(made).toHaveLength(5)
  expect(answers.filter(answer => answer.status !== 200).map(refusal)).toEqual(
    Array.from({ length: 15 }, () => [409, 'leave.quotaShort', '年休假余额不足，剩余0天']),
  )
  const left = async () => dataOf(quotaApi.page, await app.call(quotaApi.page, {}, as())).list.find(row => row.user_id === user_id)?.left
  const summed = async () =>
    (
      await tenant(db =>
        sql<{
          minutes: number
        }>`select sum(minutes)::int as minutes from leave_quota_entry where school_id = ${school_id} and user_id = ${user_id}`.execute(db),
      )
    ).rows[0]?.minutes
  expect([await left(), await summed()]).toEqual([0, 0])
  const [one] = made
  await pass(one?.leave_id ?? '')
  dataOf(applyApi.cancel, await app.call(applyApi.cancel, { leave_id: one?.leave_id ?? '' }, as()))
  expect((await app.call(applyApi.cancel, { leave_id: one?.leave_id ?? '' }, as())).status).toBe(409)
  expect([await left(), await summed()]).toEqual([1, 480])
})

test('leaves that were missed come in by a sheet with every fault named, are in force, and go again with the batch', async () => {
  const line = (who: [no: string, name: string], type: string, [from, to]: [string, string], why = '就医') => [
    ...who,
    type,
    why,
    from,
    to,
    '',
  ]
  const bad = [
    line(['S009', '学生9'], '病假', ['2026-09-07 10:00', '2026-09-07 11:00']),
    line(['S003', '学生3'], '病假', ['2026-09-07 11:00', '2026-09-07 10:00']),
    line(['S003', '学生4'], '病假', ['2026-09-07 13:00', '2026-09-07 14:00']),
    line(['S002', '学生2'], '年休假', ['2026-09-07 10:00', '2026-09-07 11:00'], '出国'),
  ]
  const { list } = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no: await bring(bad) }, as()))
  expect(list.map(row => row.errors.map(error => error.msg).join('；'))).toEqual([
    '人员不存在',
    '结束时间必须晚于开始时间',
    '姓名与编号不一致',
    '字典值不存在；原因不存在或已停用',
  ])
  const batch_no = await bring([line(['S003', '学生3'], '病假', ['2026-09-07 10:00', '2026-09-07 11:00'])])
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, as()))
  await settled(batch_no)
  expect((await inForce(pupils[3] ?? '')).map(one => one.begin_at.toISOString())).toEqual(['2026-09-07T02:00:00.000Z'])
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no }, as()))
  await settled(batch_no)
  expect(await inForce(pupils[3] ?? '')).toEqual([])
})

async function settled(batch_no: string): Promise<void> {
  const working = async () =>
    ['uploaded', 'parsing', 'applying', 'undoing'].includes(dataOf(importApi.one, await app.call(importApi.one, { batch_no }, as())).state)
  await expect.poll(working, { timeout: 60_000 }).toBe(false)
}

async function bring(samples: string[][]): Promise<string> {
  const columns = ['学号/工号', '姓名', '假别', '原因', '开始时间', '结束时间', '说明'].map(label => ({
    label,
    prop: label,
    required: false,
  }))
  const body = new Uint8Array(await writeTemplate({ sheet: '请假补录', notes: ['说明'], columns, samples }))
  const { batch_no } = dataOf(
    importApi.upload,
    await app.call(importApi.upload, { code: 'leave' }, { ...as(), file: { name: '请假.xlsx', body } }),
  )
  await settled(batch_no)
  return batch_no
}

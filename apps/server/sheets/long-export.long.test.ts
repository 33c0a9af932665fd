import { setTimeout as pause } from 'node:timers/promises'
import { archiveLogApi, systemLogApi } from '@campus/audit/contract'
import { archiveAll, writeOperations } from '@campus/audit/server'
import { memberApi } from '@campus/identity/contract'
import { ensureUsers, grantRole, grantSuper, startSession } from '@campus/identity/server'
import type { Own } from '@campus/identity/server'
import { jobApi, JobNo } from '@campus/jobs/contract'
import type { JobRow } from '@campus/jobs/contract'
import { inboxApi, messageApi } from '@campus/messages/contract'
import { schoolManageApi } from '@campus/school/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { dataOf, sheetLines, startTestApp, test_schools } from '../testing/index.ts'
import type { Answer, TestApp, TestUser } from '../testing/index.ts'

const { a: school_id, b: other_school } = test_schools
const codes = ['identity.member.view', 'identity.member.export', 'audit.system.view', 'audit.system.export', 'audit.archive.view', 'audit.archive.export', 'messages.message.view', 'messages.message.export']
const many = 5001
const day = { from: '2026-10-12', to: '2026-10-12' }
const noon = Date.parse('2026-10-12T12:00:00+08:00')
const head_lines = 4

let app: TestApp
let admin: TestUser
let role_id: string

const inSchool = <R>(fn: Parameters<typeof app.running.database.tenant<unknown, R>>[1]) => app.running.database.tenant<unknown, R>(school_id, fn)

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as({ school_id, codes })
  role_id = (await app.as({ school_id, codes: ['school.dict.view'] })).role_id
  const people = Array.from({ length: many }, (_, at) => ({ user_no: `L${String(at).padStart(5, '0')}`, user_name: at === 0 ? '=1+1' : `成员${at}`, user_kind: 2 }))
  await inSchool(async db => {
    const user_ids = await ensureUsers(db, school_id, people)
    await grantRole(db, school_id, user_ids.map(user_id => ({ role_id, user_id, valid_from: app.clock.now() })))
  })
  const request = { request_id: 'c0ffee00-8f6e-4d5b-9a55-0d5b0c6f7a11', ip: '10.0.0.1', device_label: 'Chrome', client: 'web' } as const
  await inSchool(db => writeOperations(db, school_id, Array.from({ length: many }, (_, at) => (
    { request, op_type: 4, call: 'people.dept.update', ok: true, code: 600, msg: '操作成功', duration_ms: 3, happened_at: new Date(noon + at * 10), user_no: 'T1', user_name: '甲老师', target_name: `部门${at}` }))))
  await inSchool(db => archiveAll(db, Array.from({ length: many }, (_, at) => (
    { operator: { school_id, at: new Date(noon + at * 10), user_name: '甲老师' }, row: { person_kind: 1, person_id: String(at + 1), person_name: `学生${at}`, op_type: 4, source: 'typed' } }))))
  await inSchool(db => sql`
    insert into message (school_id, month, at, source, source_ref, template_code, title, body, level)
    select ${school_id}, date_trunc('month', ${app.clock.now()}::timestamptz)::date, ${new Date(noon)}, 'test', 'long/' || g, 'identity.password_changed', '消息' || g, '正文', 1 from generate_series(1, ${many}::int) g`.execute(db))
}, 120_000)
afterAll(() => app.close())

const Started = z.object({ job_no: JobNo })
const startedBy = (answer: Answer) => Started.parse(answer.body.data).job_no
const jobNow = async (job_no: string, { token }: TestUser = admin) => dataOf(jobApi.one, await app.call(jobApi.one, { job_no }, { token }))

async function ended(job_no: string, who: TestUser = admin): Promise<JobRow> {
  for (;;) {
    const job = await jobNow(job_no, who)
    if (job.state !== 'queued' && job.state !== 'running') return job
    await pause(20)
  }
}

const result = (job_no: string, { token }: TestUser = admin) => app.call(jobApi.result, { job_no }, { token })

const lists = [
  { of: 'members', title: '角色成员', counted: '共5002人', ask: () => app.call(memberApi.export, { role_id, reason: '年度核对' }, { token: admin.token }), keyOf: (line: string[]) => line[1] ?? '', expected: (at: number) => `L${String(at).padStart(5, '0')}` },
  { of: 'the operation log', title: '系统操作日志', counted: '共5001条', ask: () => app.call(systemLogApi.export, { ...day, reason: '年度核对' }, { token: admin.token }), keyOf: (line: string[]) => line[7] ?? '', expected: (at: number) => `部门${many - 1 - at}` },
  { of: 'the archive journal', title: '档案操作日志', counted: '共5001条', ask: () => app.call(archiveLogApi.export, { ...day, reason: '年度核对' }, { token: admin.token }), keyOf: (line: string[]) => line[2] ?? '', expected: (at: number) => `学生${many - 1 - at}` },
  { of: 'messages', title: '发送记录', counted: '共5001条', ask: () => app.call(messageApi.export, { source: 'test', why: '年度核对' }, { token: admin.token }), keyOf: (line: string[]) => line[2] ?? '', expected: (at: number) => `消息${many - at}` },
] as const

describe('a list of more than 5,000 rows', () => {
  test.each(lists)('10-A26 $of: a job makes the sheet, which is the whole list in its order, with its head and quoted', async ({ title, counted, ask, keyOf, expected }) => {
    const job_no = startedBy(await ask())
    const job = await ended(job_no)
    expect(job).toMatchObject({ title: `导出${title}`, state: 'succeeded', has_result: true, is_mine: true })
    expect(job.done).toBe(job.total)
    const lines = await sheetLines(await result(job_no))
    expect(lines[0]?.[0]).toBe(`测试一校　${title}　${counted}`)
    expect(lines[2]?.[0]).toContain('导出原因：年度核对')
    const keys = lines.slice(head_lines).map(keyOf).filter(key => /^(L|部门|学生|消息)\d/.test(key))
    expect(keys).toEqual(Array.from({ length: many }, (_, at) => expected(at)))
  }, 120_000)

  test('10-A26 the file is of whoever asked alone, and only for its days: of people one, of other lists seven', async () => {
    const job_no = startedBy(await lists[0].ask())
    await ended(job_no)
    const head = await app.as({ school_id, codes: ['job.job.view_all'] })
    const plain = await app.as({ school_id, codes: [] })
    expect(await jobNow(job_no, head)).toMatchObject({ is_mine: false, has_result: false, state: 'succeeded' })
    expect([(await result(job_no, head)).status, (await result(job_no, plain)).status]).toEqual([404, 404])
    const { rows } = await inSchool(db => sql<{ title: string; hours: number }>`
      select title, max(extract(epoch from expire_at - created_at) / 3600)::int as hours from job where school_id = ${school_id} and kind = 'list_export' group by 1 order by 2, 1`.execute(db))
    expect(rows.map(row => row.hours)).toEqual([24, 168, 168, 168])
  }, 60_000)

  test('10-A26 what was searched for stands in no row readably; the same key makes the same job', async () => {
    const send = () => app.call(systemLogApi.export, { ...day, person: '甲老师', reason: '核对' }, { token: admin.token, headers: { 'idempotency-key': 'export-1' } })
    const [first, second] = await Promise.all([send(), send()])
    const job_no = startedBy(first)
    expect(startedBy(second)).toBe(job_no)
    const { rows } = await inSchool(db => sql<{ params: string; n: number }>`select max(params::text) as params, count(*)::int as n from job where school_id = ${school_id} and job_no = ${job_no}`.execute(db))
    expect(rows[0]?.n).toBe(1)
    expect(rows[0]?.params).not.toContain('甲老师')
    await ended(job_no)
  }, 60_000)

  test('10-A26 cancelled it leaves no file', async () => {
    const job_no = startedBy(await lists[1].ask())
    expect((await app.call(jobApi.cancel, { job_no }, { token: admin.token })).status).toBe(200)
    expect(await ended(job_no)).toMatchObject({ state: 'cancelled', has_result: false })
    expect((await result(job_no)).status).toBe(404)
  }, 60_000)

  test('10-A26 above a thousand people a reason is asked for, by a job too', async () => {
    const refused = await app.call(memberApi.export, { role_id }, { token: admin.token })
    expect([refused.status, refused.body.msg]).toEqual([422, '请填写导出原因'])
  })
})

describe('the jobs of a school', () => {
  test('are seen by whoever may see them all, and else by whoever started them', async () => {
    const head = await app.as({ school_id, codes: ['job.job.view_all'] })
    const elsewhere = await app.as({ school_id: other_school, codes: ['job.job.view_all'] })
    const plain = await app.as({ school_id, codes: [] })
    const totalOf = async ({ token }: TestUser, mine?: '1') => dataOf(jobApi.list, await app.call(jobApi.list, { mine }, { token })).total
    expect(await totalOf(head)).toBeGreaterThan(0)
    expect(await totalOf(head)).toBe(await totalOf(admin))
    expect([await totalOf(head, '1'), await totalOf(plain), await totalOf(elsewhere)]).toEqual([0, 0, 0])
    const { list } = dataOf(jobApi.list, await app.call(jobApi.list, {}, { token: head.token }))
    const [one] = list
    expect(one).toMatchObject({ is_mine: false, created_by_name: '测试用户1' })
    expect((await app.call(jobApi.one, { job_no: one?.job_no ?? '' }, { token: plain.token })).status).toBe(404)
    expect((await app.call(jobApi.one, { job_no: one?.job_no ?? '' }, { token: elsewhere.token })).status).toBe(404)
  })

  test('tell their end: one line in the inbox of whoever started them, none for what he has cancelled', async () => {
    const titles = async () => dataOf(inboxApi.list, await app.call(inboxApi.list, {}, { token: admin.token })).list.map(({ title }) => title)
    await expect.poll(titles, { timeout: 20_000 }).toContain('导出系统操作日志：已完成，可以下载结果')
    const { rows } = await inSchool(db => sql<{ n: number }>`select count(*)::int as n from job where school_id = ${school_id} and state = 'succeeded'`.execute(db))
    await expect.poll(async () => (await titles()).length, { timeout: 20_000 }).toBe(rows[0]?.n)
  })
})

test('10-A26 schools: the list of the installation goes by a job too, in its order', async () => {
  const { database, app: product } = app.running
  const boss = await app.as({ school_id, codes: [] })
  await database.tenant<unknown, void>(0, db => grantSuper(db, boss.user_id, 1, [school_id]))
  const own: Own = (id, fn) => database.tenant(id, fn)
  const { token } = await startSession({ app: product, own, now: app.clock.now() }, { school_id, user_id: boss.user_id, role_no: `-${school_id}`, device_label: '测试', ip: '127.0.0.1' })
  await database.tenant<unknown, unknown>(0, db => sql`
    insert into school_registry (school_id, school_name, school_type, state, state_at) select 2000000 + g, '学校' || g, 1, 4, ${app.clock.now()} from generate_series(1, ${many}::int) g`.execute(db))
  const job_no = startedBy(await app.call(schoolManageApi.export, { state: 4 }, { token }))
  const job = await ended(job_no, { ...boss, token })
  expect(job).toMatchObject({ title: '导出学校列表', state: 'succeeded', done: many, total: many })
  const lines = await sheetLines(await result(job_no, { ...boss, token }))
  expect([lines[0]?.[0], lines[2]?.[0]]).toEqual([`测试一校　学校列表　共${many}所`, '条件：状态 已关闭'])
  expect(lines.slice(head_lines).map(line => line[1])).toEqual(Array.from({ length: many }, (_, at) => `学校${at + 1}`))
}, 120_000)

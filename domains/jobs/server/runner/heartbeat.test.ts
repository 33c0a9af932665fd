import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { jobApi } from '@campus/jobs/contract'
import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import type { Me } from '@kit/server/http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { enqueueJob } from '../enqueue.ts'
import { jobKindPort } from '../job-kind.ts'
import type { JobKind } from '../job-kind.ts'
import { ended } from '../testing/import-flow.ts'

const patience_ms = 30_000
const days_ms = (days: number) => days * 86_400_000
const school_id = test_schools.a

let app: TestApp
let user: TestUser
const opened = Promise.withResolvers<void>()
/** Waits without a step, longer than one beat, and leaves a file. */
const waiting: JobKind = {
  kind: 'test_wait',
  async run(job) {
    await opened.promise
    const { file_key, path } = await job.app.files.reserve(job.school_id, 'job', '.csv')
    await writeFile(path, 'done')
    await job.result(file_key, '结果.csv')
  },
}

beforeAll(async () => {
  app = await startTestApp()
  user = await app.as({ school_id, codes: [] })
  jobKindPort.fill(app.running.app, waiting)
})
afterAll(() => app.close())

function start(): Promise<string> {
  const { app: product, database } = app.running
  const { user_id, user_no, role_no, role_id, role_code, session_id } = user
  const own = { kind: 'all', ids: [], facts: [] } as const
  const me: Me = {
    user_id, user_no, role_no, role_id, role_code, session_id, school_id,
    user_name: '张三', username: user_no, role_name: '测试', user_dep: '1', is_super: false, dept_is_exact: false, codes: new Set(), scopes: { dept: own, place: own },
  }
  return database.tenant<unknown, string>(school_id, db => enqueueJob({ db, me, now: app.clock.now(), app: product, school_id }, { kind: 'test_wait', title: '等待', params: {} }))
}

async function first<R>(query: ReturnType<typeof sql<R>>): Promise<R | undefined> {
  const { rows } = await app.running.database.tenant<unknown, { rows: R[] }>(school_id, db => query.execute(db))
  return rows[0]
}

it('a job that works longer than its lease keeps it by its heartbeat; its file lives seven days, in the list and on the disk', async () => {
  const job_no = await start()
  const lease = async () => (await first(sql<{ lease_until: Date | null }>`select lease_until from work where ref = ${job_no}`))?.lease_until?.getTime() ?? 0
  await expect.poll(lease, { timeout: patience_ms }).toBeGreaterThan(0)
  const taken_until = await lease()
  await expect.poll(lease, { timeout: patience_ms, interval: 250 }).toBeGreaterThan(taken_until)
  opened.resolve()
  expect(await ended(app, user, job_no)).toMatchObject({ state: 'succeeded', has_result: true })

  const file_key = (await first(sql<{ result_file: string }>`select result_file from job where school_id = ${school_id} and job_no = ${job_no}`))?.result_file ?? ''
  const path = app.running.app.files.pathOf(file_key)
  expect(existsSync(path)).toBe(true)
  app.clock.advance(days_ms(7) - 60_000)
  const later = await app.as({ school_id, codes: [] })
  await first(sql`update job set created_by = ${later.user_id} where school_id = ${school_id} and job_no = ${job_no}`)
  const result = async () => (await app.call(jobApi.result, { job_no }, { token: later.token })).status
  expect(await result()).toBe(200)
  app.clock.advance(120_000)
  expect(await result()).toBe(404)
  await expect.poll(() => existsSync(path), { timeout: patience_ms }).toBe(false)
}, 2 * patience_ms)

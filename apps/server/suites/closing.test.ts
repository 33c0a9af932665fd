import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { keepMade } from '@campus/files/server'
import { closed_kept_days, schoolManageApi } from '@campus/school/contract'
import type { SchoolReceipt } from '@campus/school/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { dataOf, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { schoolManageCalls } from './calls/school-manage.ts'
import { makeWorld } from './make-world.ts'
import type { World } from './world.ts'

const { a, b } = test_schools
const day_ms = 86_400_000
const patience = { timeout: 30_000 }
const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const Wish = z.object({ id: z.number(), reason: z.string(), school_name: z.string().default(''), recheck_token: z.string() })

let app: TestApp
let world: World
beforeAll(async () => {
  app = await startTestApp({ settings: { CAMPUS_LOG_LEVEL: 'fatal' } })
  world = await makeWorld(app, a)
})
afterAll(() => app.close())

/** A valid wish of a super account about a school of its own, not yet sent. */
async function wishTo(verb: 'suspend' | 'resume' | 'close') {
  const made = await schoolManageCalls.get(`school.school_manage.${verb}`)?.(world)
  return { ...Wish.parse(made?.input), token: made?.token ?? '' }
}

const inSchool = <R>(school_id: number, fn: Parameters<typeof app.running.database.tenant<unknown, R>>[1]) => app.running.database.tenant<unknown, R>(school_id, fn)
const closingOf = async (id: number, token: string) => dataOf(schoolManageApi.closing, await app.call(schoolManageApi.closing, { id }, { token }))
const told = (receipts: readonly SchoolReceipt[]) => Object.fromEntries(receipts.map(({ effect, target, state }) => [effect, `${state} ${target}`]))

async function putFile(school_id: number, name: string, purpose: 'avatar' | 'face'): Promise<string> {
  const file_key = `${school_id}/1/20261120/${name}.png`
  const { app: product } = app.running
  const desk: Parameters<typeof keepMade>[0] = { app: product, now: app.clock.now(), own: (id, fn) => app.running.database.tenant(id, fn) }
  const enter = await keepMade(desk, school_id, '1', { file_key, purpose, bytes: picture })
  await inSchool(school_id, async db => void (await enter({ app: product, db, school_id, now: app.clock.now() }, { ref_kind: 'test.thing', ref_id: name })))
  return file_key
}

/** A session of a super account after its first one has run out. */
async function laterToken(): Promise<string> {
  const later = await makeWorld(app, b)
  return (await schoolManageCalls.get('school.school_manage.page')?.(later))?.token ?? ''
}

const pathOf = (file_key: string) => app.running.app.files.pathOf(file_key)
const endOf = (id: number) => inSchool(id, db => sql<{ finished: boolean }>`select finished_at is not null as finished from school_closing where school_id = ${id}`.execute(db)).then(({ rows }) => rows[0]?.finished)

test('a suspension says what it has stopped: logins and jobs; when the school goes on, nothing is said any more', async () => {
  const { token, id, reason, recheck_token } = await wishTo('suspend')
  await inSchool(id, db => sql`
    insert into job (school_id, job_no, kind, title, identity, state, created_by, created_role_no, expire_at) select ${id}, 'j' || g, 'x', '导出', '{}', 'queued', 1, 1, now() from generate_series(1, 2) g`.execute(db))
  expect((await app.call(schoolManageApi.suspend, { id, reason, recheck_token }, { token })).status).toBe(200)
  const suspended = await closingOf(id, token)
  expect(suspended).toMatchObject({ state: 3, closed_at: null, keep_until: null })
  expect(told(suspended.receipts)).toEqual({ sessions: 'done 结束0个登录，新的登录已停止', jobs: 'done 2个任务暂停，启用后继续' })
  const { token: again, ...back } = await wishTo('resume')
  expect((await closingOf(back.id, again)).receipts).toHaveLength(2)
  expect((await app.call(schoolManageApi.resume, { id: back.id, reason: back.reason, recheck_token: back.recheck_token }, { token: again })).status).toBe(200)
  expect(await closingOf(back.id, again)).toMatchObject({ state: 2, receipts: [] })
  const other = await app.as({ school_id: a, codes: 'all' })
  expect((await app.call(schoolManageApi.closing, { id }, { token: other.token })).status).toBe(403)
})

test('a closed school keeps everything until its time is over; then every file goes, of this school alone, and the page of the super says so', async () => {
  const { token, ...wish } = await wishTo('close')
  const { id } = wish
  const keys = [await putFile(id, 'one', 'avatar'), await putFile(id, 'two', 'face'), await putFile(id, 'gone', 'avatar')]
  const elsewhere = await putFile(a, 'stays', 'avatar')
  const result = pathOf(`${id}/export/result.xlsx`)
  await mkdir(dirname(result), { recursive: true })
  await writeFile(result, 'sheet')
  // As after a process that died between the store and the row.
  await rm(pathOf(keys[2] ?? ''))
  expect((await app.call(schoolManageApi.close, wish, { token })).status).toBe(200)
  const closed = await closingOf(id, token)
  expect(Date.parse(closed.keep_until ?? '') - Date.parse(closed.closed_at ?? '')).toBe(closed_kept_days * day_ms)
  expect(closed).toMatchObject({ state: 4, files_total: 3, files_removed: 0, finished_at: null })
  expect(told(closed.receipts)).toMatchObject({ retention: expect.stringMatching(/^running 资料保存至 \d{4}-\d\d-\d\d$/), files: expect.stringMatching(/^planned 3个文件，\d{4}-\d\d-\d\d 起删除$/) })

  app.clock.advance(closed_kept_days * day_ms + 1000)
  await expect.poll(() => endOf(id), patience).toBe(true)
  expect(keys.map(key => existsSync(pathOf(key)))).toEqual([false, false, false])
  expect([existsSync(pathOf(String(id))), existsSync(pathOf(elsewhere))]).toEqual([false, true])
  const { rows } = await inSchool(id, db => sql<{ state: number }>`select distinct state from file_object where school_id = ${id}`.execute(db))
  expect(rows).toEqual([{ state: 6 }])
  const ended = await closingOf(id, await laterToken())
  expect(ended).toMatchObject({ files_total: 3, files_removed: 3 })
  expect(told(ended.receipts)).toMatchObject({ retention: 'done 保存期已满', files: 'done 3个文件已全部删除' })
}, 60_000)

test('a store that would not is told, the other files go, and it is asked again the next day', async () => {
  world = await makeWorld(app, a)
  const { token, ...wish } = await wishTo('close')
  const { id } = wish
  await putFile(id, 'one', 'avatar')
  const stuck = await putFile(id, 'stuck', 'avatar')
  const place = (driver: string) => inSchool(id, db => sql`update file_object set driver = ${driver}, bucket = null where school_id = ${id} and file_key = ${stuck}`.execute(db))
  await place('minio_s3')
  expect((await app.call(schoolManageApi.close, wish, { token })).status).toBe(200)
  app.clock.advance(closed_kept_days * day_ms + 1000)
  const receipt = () => inSchool(id, db => sql<{ target: string; state: string }>`select target, state from school_receipt where school_id = ${id} and effect = 'files'`.execute(db)).then(({ rows }) => rows[0])
  await expect.poll(receipt, patience).toEqual({ state: 'failed', target: '已删除 1 / 2 个文件，1个暂时无法删除，系统会每天重试' })
  expect(await endOf(id)).toBe(false)
  await place('embedded')
  app.clock.advance(day_ms)
  await expect.poll(() => endOf(id), patience).toBe(true)
  expect(existsSync(pathOf(stuck))).toBe(false)
}, 60_000)

import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { identityEvents } from '@campus/identity/contract'
import { grantRole } from '@campus/identity/server'
import { inboxApi } from '@campus/messages/contract'
import { event } from '@kit/contract'
import type { EventFact } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

const { a: school_id, b: other_school } = test_schools
/** As the audit domain publishes it. */
const chainBroken = event('audit.chain.broken', z.object({ table_name: z.string(), count: z.number().int() }))
let app: TestApp
let anna: TestUser
beforeAll(async () => {
  app = await startTestApp()
  anna = await app.as({ school_id, codes: [] })
})
afterAll(() => app.close())

function tell<P extends z.ZodObject>(fact: EventFact<P>, facts: z.input<P>, school: number = school_id): Promise<void> {
  const { app: product, database } = app.running
  return database.tenant<unknown, void>(school, db => publish({ app: product, db, school_id: school, now: app.clock.now() }, fact, facts))
}
/** Somebody who looks after the school. */
async function makeKeeper(): Promise<TestUser> {
  const keeper = await app.as({ school_id, codes: [] })
  const now = app.clock.now()
  await app.running.database.tenant<unknown, unknown>(school_id, async db => {
    const { rows } = await sql<{ role_id: string }>`select role_id from role where school_id = ${school_id} and code = 'SYS001_SchoolAdmin'`.execute(db)
    return grantRole(db, school_id, rows.map(({ role_id }) => ({ role_id, user_id: keeper.user_id, valid_from: now })))
  })
  return keeper
}
const lines = async (who: TestUser) => dataOf(inboxApi.list, await app.call(inboxApi.list, {}, { token: who.token })).list

it('M8 a locked account is told to its owner, with the time at which the lock ends', async () => {
  await tell(identityEvents.accountLocked, { user_id: anna.user_id, until: '2026-11-20T04:30:00Z' })
  await expect.poll(async () => (await lines(anna)).map(({ title, body, level, source }) => [title, body, level, source])).toEqual([
    ['您的账号已被临时锁定', '密码连续输错次数过多，账号锁定至2026-11-20 12:30。若非本人操作，请尽快修改密码并联系学校管理员。', 2, 'identity'],
  ])
})

it('M8 a password that somebody else has changed is told to everybody whose it is, and to nobody of another school', async () => {
  const [boris, stranger] = [await app.as({ school_id, codes: [] }), await app.as({ school_id: other_school, codes: [] })]
  await tell(identityEvents.passwordChanged, { user_ids: [boris.user_id, stranger.user_id], by_self: false })
  await expect.poll(async () => (await lines(boris)).map(({ body }) => body)).toEqual([expect.stringMatching(/^密码于\d{4}-\d\d-\d\d \d\d:\d\d由管理员修改。/)])
  expect(await lines(stranger)).toEqual([])
})

it('10-A14 M8 a copied refresh secret is told to the person whose it is, once for each session', async () => {
  const clara = await app.as({ school_id, codes: [] })
  for (let times = 0; times < 2; times += 1) await tell(identityEvents.sessionStolen, { session_id: '00000000-0000-4000-8000-00000000000a', user_id: clara.user_id, device_label: 'Chrome · Windows' })
  await expect.poll(async () => (await lines(clara)).map(({ title, body, level }) => [title, body, level])).toEqual([
    ['您的登录凭证可能已被他人复制', expect.stringMatching(/^设备“Chrome · Windows”的登录凭证于\d{4}-\d\d-\d\d \d\d:\d\d被再次使用，该登录已强制退出。/), 2],
  ])
})

it('M8 a broken log chain is told to who looks after the school, urgently', async () => {
  const keeper = await makeKeeper()
  await tell(chainBroken, { table_name: 'archive_log', count: 3 })
  await expect.poll(async () => (await lines(keeper)).map(({ body, level, link }) => [body, level, link])).toEqual([['档案操作日志有3处与封存时不一致，请尽快由系统管理员核查。', 3, '/SystemLog']])
  expect((await lines(anna)).length).toBe(1)
})

it('10-R9 the administrators of a school are told who of the platform has come in, and why', async () => {
  const keeper = await makeKeeper()
  await tell(identityEvents.superEntered, { user_name: 'super', reason: '协助核对学籍' })
  await expect.poll(async () => (await lines(keeper)).map(({ body, link }) => [body, link])).toEqual([[expect.stringMatching(/^超级管理员super于\d{4}-\d\d-\d\d \d\d:\d\d进入本校，原因：协助核对学籍。/), '/SystemLog']])
})

it('10-B4 a membership that ends within seven days is told to its holder and the administrators next morning, once', async () => {
  const { role_no } = anna
  const day_ms = 86_400_000
  const told = () => app.running.database.tenant<unknown, string[]>(school_id, async db => {
    const { rows } = await sql<{ source_ref: string }>`select source_ref from message where school_id = ${school_id} and template_code like 'identity.member%' order by source_ref`.execute(db)
    return rows.map(({ source_ref }) => source_ref.split('/')[0] ?? '')
  })
  const ends = new Date(app.clock.now().getTime() + 5 * day_ms)
  await app.running.database.tenant(school_id, db => sql`update role_member set valid_to = ${ends} where school_id = ${school_id} and role_no = ${role_no}`.execute(db))
  app.clock.advance(day_ms)
  await expect.poll(told).toEqual(['ending', 'endings'])
  app.clock.advance(day_ms)
  await tell(identityEvents.superEntered, { user_name: 'super', reason: '次日' })
  expect(await told()).toEqual(['ending', 'endings'])
})

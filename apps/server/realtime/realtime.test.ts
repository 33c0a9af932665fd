import { accountApi, meChannel, memberChannel, realtimeApi, roleApi } from '@campus/identity/contract'
import { alertTemplates, inboxApi } from '@campus/messages/contract'
import { send as sendMessage } from '@campus/messages/server'
import { configApi, schoolApi } from '@campus/school/contract'
import { openGate } from '@campus/identity/server'
import { enqueueJob } from '@campus/jobs/server'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { dataOf, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp, TestUser } from '../testing/index.ts'
import { connectBroker, openLive } from '../testing/live-client.ts'
import type { LiveClient } from '../testing/live-client.ts'

let app: TestApp
const opened: LiveClient[] = []

beforeAll(async () => {
  app = await startTestApp()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map(client => client.close()))
})
afterAll(() => app.close())

const school_a = { school_id: test_schools.a, codes: 'all' } as const

async function live(user: TestUser, channels: readonly string[] = []): Promise<LiveClient> {
  const client = await openLive(app.url, user.token, channels)
  opened.push(client)
  return client
}

/** Tells a school something in a transaction of its own, as a call would. */
function tell(school_id: number, rows: readonly { kind: 'config' | 'jobs' | 'messages'; unread?: number }[], to = {}): Promise<void> {
  return app.running.database.tenant<unknown, void>(school_id, db => push({ db, school_id }, meChannel, rows, to))
}

describe('a browser is told', () => {
  test('once the transaction is committed, in order, with quality 1, and nothing of what was rolled back', async () => {
    const me = await live(await app.as(school_a))
    const undone = app.running.database.tenant<unknown, void>(test_schools.a, async db => {
      await push({ db, school_id: test_schools.a }, meChannel, [{ kind: 'messages', unread: 99 }])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await tell(test_schools.a, [{ kind: 'messages', unread: 1 }])
    await tell(test_schools.a, [{ kind: 'messages', unread: 2 }])
    await expect.poll(() => me.rows('me')).toEqual([{ kind: 'messages', unread: 1 }, { kind: 'messages', unread: 2 }])
    expect(me.frames.map(frame => frame.n)).toEqual(me.frames.map((_, at) => at + 1))
    expect(new Set(me.qualities)).toEqual(new Set([1]))
  })

  test('what is meant for others, or for another school, never arrives', async () => {
    const [one, other, foreign] = [await app.as(school_a), await app.as(school_a), await app.as({ school_id: test_schools.b, codes: 'all' })]
    const clients = [await live(one), await live(other), await live(foreign, ['member'])]
    await tell(test_schools.a, [{ kind: 'jobs' }], { users: [one.user_id] })
    await tell(test_schools.a, [{ kind: 'messages' }], { sessions: [other.session_id] })
    await tell(test_schools.b, [{ kind: 'config' }])
    await app.as(school_a)
    for (const client of clients) await expect.poll(() => client.rows('me').length).toBe(1)
    expect(clients.map(client => client.rows('me').map(row => row.kind))).toEqual([['jobs'], ['messages'], ['config']])
    expect(clients[2]?.rows('member')).toEqual([])
  })

  test('10-A10 10-R5 that his rights were changed, while others hear nothing; his next call has the new rights', async () => {
    const [holder, editor, other] = [await app.as({ ...school_a, codes: ['identity.role.view'] }), await app.as(school_a), await app.as(school_a)]
    const [told, untold] = [await live(holder), await live(other)]
    // Everybody's identity has been looked up once.
    await tell(test_schools.a, [{ kind: 'config' }])
    await expect.poll(() => [told.rows('me').length, untold.rows('me').length]).toEqual([1, 1])
    const { role_id } = holder
    const { version } = dataOf(roleApi.matrix, await app.call(roleApi.matrix, { role_id }, { token: editor.token }))
    const change = { role_id, version, grant: [], revoke: ['identity.role.view'], scopes: {} }
    expect((await app.call(roleApi.saveMatrix, change, { token: editor.token })).status).toBe(200)
    await expect.poll(() => told.rows('me').at(-1)).toEqual({ kind: 'rights' })
    expect((await app.call(roleApi.list, {}, { token: holder.token })).status).toBe(403)
    expect(untold.rows('me')).toHaveLength(1)
  })

  test('10-A10 that his session is over, and is disconnected; his ticket is refused', async () => {
    const [user, admin] = [await app.as(school_a), await app.as(school_a)]
    const client = await live(user)
    expect((await app.call(accountApi.kick, { user_id: user.user_id }, { token: admin.token })).status).toBe(200)
    await expect.poll(() => client.rows('me')).toEqual([{ kind: 'session', reason: 'kicked' }])
    await expect.poll(() => client.isOpen()).toBe(false)
    expect((await app.call(realtimeApi.ticket, {}, { token: user.token })).status).toBe(401)
  })

  test('nothing more when his session was ended by other hands: he is disconnected all the same', async () => {
    const user = await app.as(school_a)
    const client = await live(user)
    const end = sql`update session set idle_until = started_at where school_id = ${test_schools.a} and session_id = ${user.session_id}`
    await app.running.database.tenant<unknown, unknown>(test_schools.a, db => end.execute(db))
    await expect.poll(() => client.isOpen()).toBe(false)
    expect(client.rows('me')).toEqual([])
  })

  test('who signs in and out, if his scope covers them', async () => {
    const [watcher, blind] = [await live(await app.as(school_a), ['member']), await live(await app.as({ ...school_a, scope: 'none' }), ['member'])]
    const newcomer = await app.as(school_a)
    const row = { user_id: newcomer.user_id, role_no: newcomer.role_no, online: true }
    await expect.poll(() => watcher.rows('member')).toContainEqual(row)
    const admin = await app.as(school_a)
    await app.call(accountApi.kick, { user_id: newcomer.user_id }, { token: admin.token })
    await expect.poll(() => watcher.rows('member')).toContainEqual({ ...row, online: false })
    expect(blind.rows('member')).toEqual([])
  })

  test('10-N1 of a changed setting of his school, and how many messages he has not read', async () => {
    const user = await app.as(school_a)
    const client = await live(user)
    const config = dataOf(schoolApi.config, await app.call(schoolApi.config, { id: test_schools.a }, { token: user.token }))
    const dept_name_format = config.dept_name_format === 2 ? 3 : 2
    const change = { id: test_schools.a, config_version: config.config_version, values: { dept_name_format } } as const
    expect((await app.call(configApi.update, change, { token: user.token })).status).toBe(200)
    await expect.poll(() => client.rows('me')).toContainEqual({ kind: 'config' })
    const now = app.clock.now()
    const line = { template: alertTemplates.passwordChanged, source_ref: 'realtime/1', to: [{ user_id: user.user_id }], values: { who: '本人', at: '07:20' }, level: 1 } as const
    await app.running.database.tenant<unknown, unknown>(test_schools.a, db => sendMessage({ app: app.running.app, db, school_id: test_schools.a, now }, line))
    await expect.poll(() => client.rows('me')).toContainEqual({ kind: 'messages', unread: 1 })
    await app.call(inboxApi.read, { all: 1 }, { token: user.token })
    await expect.poll(() => client.rows('me').at(-1)).toEqual({ kind: 'messages', unread: 0 })
  })

  test('of a gap where there is more than he can be told', async () => {
    const client = await live(await app.as(school_a), ['member'])
    const rows = Array.from({ length: 60 }, (_, n) => ({ user_id: String(n + 1), role_no: '1', online: true }))
    await app.running.database.tenant<unknown, void>(test_schools.a, async db => {
      for (let time = 0; time < 10; time += 1) await push({ db, school_id: test_schools.a }, memberChannel, rows.map(row => ({ ...row, role_no: String(time + 1) })))
    })
    await expect.poll(() => client.frames.find(frame => frame.ch === 'member' && frame.gap)).toMatchObject({ rows: [], gap: true })
    const many = Array.from({ length: 400 }, (_, n) => ({ user_id: String(n + 1), role_no: '1', online: true }))
    await app.running.database.tenant<unknown, void>(test_schools.a, db => push({ db, school_id: test_schools.a }, memberChannel, many))
    await expect.poll(() => client.frames.filter(frame => frame.gap).length).toBeGreaterThan(1)
    expect(Math.max(...client.frames.map(frame => frame.rows.length))).toBeLessThanOrEqual(50)
    expect(client.frames.filter(frame => frame.ch === 'member').map(frame => frame.n)).toEqual(client.frames.filter(frame => frame.ch === 'member').map((_, at) => at + 1))
  })
})

describe('the broker', () => {
  test('lets nobody in with another ticket, another id, or none', async () => {
    const client = await live(await app.as(school_a))
    const foreign = client.client_id.replace(/.$/, last => (last === 'A' ? 'B' : 'A'))
    for (const [id, password] of [[client.client_id, 'guessed'], [foreign, client.token], ['someone', client.token]] as const) {
      const stranger = connectBroker(app.url, id, password)
      await new Promise<void>(resolve => stranger.once('close', () => resolve()))
      expect(stranger.connected).toBe(false)
      await stranger.endAsync(true)
    }
    expect(client.isOpen()).toBe(true)
  })

  test.each(['#', '+/+/down/#', '$SYS/#', '$share/x/jdev/+/down/#', 'jdev/w-1001-AAAAAAAAAAAAAAAAAAAAAA/down/#'])('30-A31 31-A20 refuses a subscription to %s', async topic => {
    const client = await live(await app.as(school_a))
    const granted = await client.mqtt.subscribeAsync(topic, { qos: 1 }).catch((error: unknown) => String(error))
    expect(JSON.stringify(granted)).toMatch(/128|Unspecified error|not authorized/i)
    await tell(test_schools.a, [{ kind: 'config' }])
    await expect.poll(() => client.rows('me')).toHaveLength(1)
  })

  test('31-A1 31-A20 drops what is published elsewhere or retained, and ends the connection at the third time', async () => {
    const [victim, client] = [await live(await app.as(school_a)), await live(await app.as(school_a))]
    // At the beginning of a minute, so that none ends between the three.
    app.clock.advance(60_000 - (app.clock.now().getTime() % 60_000))
    await client.mqtt.publishAsync(`${victim.topic}/down/me`, '{}', { qos: 1 })
    await client.mqtt.publishAsync(`${client.topic}/up/auth`, JSON.stringify({ token: client.token }), { qos: 1, retain: true })
    expect(client.isOpen()).toBe(true)
    client.mqtt.publish('$SYS/x', '{}', { qos: 0 })
    await expect.poll(() => client.isOpen()).toBe(false)
    expect(victim.frames).toEqual([])
  })

  test('forgets refusals of the minute before', async () => {
    const client = await live(await app.as(school_a))
    const stray = () => client.mqtt.publishAsync('elsewhere', '{}', { qos: 1 })
    for (let minute = 0; minute < 3; minute += 1) {
      app.clock.advance(60_000 - (app.clock.now().getTime() % 60_000))
      await stray()
      await stray()
    }
    expect(client.isOpen()).toBe(true)
    client.mqtt.publish('elsewhere', '{}', { qos: 0 })
    await expect.poll(() => client.isOpen()).toBe(false)
  })

  test('30-A31 31-A20 keeps a connection whose ticket is renewed, and ends it when the ticket is over', async () => {
    const user = await app.as(school_a)
    const [kept, left] = [await live(user), await live(user)]
    app.clock.advance(9 * 60_000)
    const again = await app.call(realtimeApi.ticket, { client_id: kept.client_id }, { token: user.token })
    const { token, client_id } = dataOf(realtimeApi.ticket, again)
    expect(client_id).toBe(kept.client_id)
    await kept.mqtt.publishAsync(`${kept.topic}/up/auth`, JSON.stringify({ token }), { qos: 1 })
    app.clock.advance(2 * 60_000)
    await expect.poll(() => left.isOpen()).toBe(false)
    expect(kept.isOpen()).toBe(true)
  })
})

describe('watch', () => {
  const watch = (user: TestUser, channels: string[]) => app.call(realtimeApi.watch, { channels }, { token: user.token })

  test('refuses what the identity may not hear and what does not exist, and says which', async () => {
    const user = await app.as({ ...school_a, codes: [] })
    await app.call(realtimeApi.ticket, {}, { token: user.token })
    for (const channel of ['member', 'nothing', 'job:0', 'job']) {
      expect(await watch(user, ['me', channel])).toMatchObject({ status: 403, body: { msg: '无权限查看', data: { channel } } })
    }
    expect((await watch(user, ['me'])).body.data).toEqual({ granted: ['me'] })
  })

  test('lets a job be watched by whoever started it, whose bell hears of it, and by who may see all jobs', async () => {
    const [user, other, keeper] = [await app.as(school_a), await app.as({ ...school_a, codes: [] }), await app.as({ ...school_a, codes: ['job.job.view_all'] })]
    const client = await live(user)
    const me = await openGate(app.running).authenticate(user.token)
    const starter = { me, app: app.running.app, now: app.clock.now(), school_id: test_schools.a }
    const job_no = await app.running.database.tenant<unknown, string>(test_schools.a, db => enqueueJob({ ...starter, db }, { kind: 'nobody.does_it', title: '无人处理的任务', params: {} }))
    await expect.poll(() => client.rows('me')).toContainEqual({ kind: 'jobs' })
    expect((await watch(user, [`job:${job_no}`])).status).toBe(200)
    for (const one of [other, keeper]) await app.call(realtimeApi.ticket, {}, { token: one.token })
    expect((await watch(other, [`job:${job_no}`])).status).toBe(403)
    expect((await watch(keeper, [`job:${job_no}`])).status).toBe(200)
  })

  test('refuses more than a browser can need', async () => {
    const user = await app.as(school_a)
    await app.call(realtimeApi.ticket, {}, { token: user.token })
    const channels = Array.from({ length: 51 }, (_, n) => `job:${n}`)
    expect(await watch(user, channels)).toMatchObject({ status: 429, body: { error_id: 'identity.watchTooMany' } })
  })
})

describe('polling', () => {
  const poll = async (user: TestUser, since?: string) => {
    return dataOf(realtimeApi.poll, await app.call(realtimeApi.poll, since === undefined ? {} : { since }, { token: user.token }))
  }

  test('answers the same frames, again until they are acknowledged, and a gap to whoever comes from elsewhere', async () => {
    const user = await app.as(school_a)
    const client = await live(user)
    const first = await poll(user)
    expect(first.frames).toEqual([])
    await tell(test_schools.a, [{ kind: 'messages', unread: 7 }])
    await expect.poll(() => client.frames.length).toBe(1)
    await expect.poll(async () => (await poll(user, first.since)).frames.length).toBe(1)
    const again = await poll(user, first.since)
    expect(again.frames).toMatchObject(client.frames.map(({ ch, n, rows }) => ({ ch, n, rows })))
    expect((await poll(user, again.since)).frames).toEqual([])
    expect((await poll(user, 'elsewhere.12')).frames).toMatchObject([{ ch: 'me', rows: [], gap: true }])
  })

  test('one that failed at its beginning leaves nobody deaf behind: the next one hears everything that was asked for', async () => {
    const user = await app.as(school_a)
    await app.call(realtimeApi.ticket, {}, { token: user.token })
    expect((await app.call(realtimeApi.watch, { channels: ['member'] }, { token: user.token })).status).toBe(200)
    const rename = (from: string, to: string) => app.running.database.owner_exec(`alter table realtime_watch rename column ${from} to ${to}`)
    await rename('channels', 'channels_away')
    const failed = await app.call(realtimeApi.poll, {}, { token: user.token }).finally(() => rename('channels_away', 'channels'))
    expect(failed.status).toBe(500)
    const first = await poll(user)
    const newcomer = await app.as(school_a)
    const row = { user_id: newcomer.user_id, role_no: newcomer.role_no, online: true }
    await expect.poll(async () => (await poll(user, first.since)).frames.flatMap(frame => (frame.ch === 'member' ? frame.rows : []))).toContainEqual(row)
  })
})

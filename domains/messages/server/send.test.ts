import { domains, dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { inboxApi, messageTemplate } from '@campus/messages/contract'
import type { DomainServer } from '@kit/server/http'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageTemplatePort, send, withdraw } from './index.ts'
import type { NewMessage } from './index.ts'

const { a: school_id, b: other_school } = test_schools
const bell = messageTemplate({ code: 'probe.bell', name: '铃声', title: '{place}铃声', body: '{place}将于{at}响铃。', fields: { place: 10, at: 16 }, channels: [] })
const probe: DomainServer = {
  name: 'probe', migrations: import.meta.dirname, routes: [],
  compose: ({ app }) => messageTemplatePort.fill(app, bell),
}

let app: TestApp
let anna: TestUser
let boris: TestUser
beforeAll(async () => {
  app = await startTestApp({ domains: [...domains, probe] })
  anna = await app.as({ school_id, codes: [] })
  boris = await app.as({ school_id, codes: [] })
})
afterAll(() => app.close())

type Draft = Partial<NewMessage<'place' | 'at'>> & { source_ref: string }
const to = (...users: TestUser[]) => users.map(({ user_id }) => ({ user_id }))
function ring(draft: Draft, after?: () => void): Promise<string> {
  const { app: product, database } = app.running
  return database.tenant<unknown, string>(school_id, async db => {
    const sent = await send({ app: product, db, school_id, now: app.clock.now() }, { template: bell, to: to(anna), values: { place: '东门', at: '07:40' }, level: 1, ...draft })
    after?.()
    return sent
  })
}
const take = (source_ref: string) => app.running.database.tenant<unknown, number>(school_id, db => withdraw({ db, school_id, now: app.clock.now() }, 'probe', source_ref))
const inbox = async (who: TestUser, query: { unread?: '1'; before?: string } = {}) => dataOf(inboxApi.list, await app.call(inboxApi.list, query, { token: who.token }))
const unread = async (who: TestUser) => dataOf(inboxApi.count, await app.call(inboxApi.count, {}, { token: who.token })).unread
const read = (who: TestUser, body: { ids: string[] } | { all: 1 }) => app.call(inboxApi.read, body, { token: who.token })
const count = async (query: ReturnType<typeof sql<{ n: string }>>) => Number((await app.running.database.tenant(school_id, db => query.execute(db))).rows[0]?.n)

describe('a message', () => {
  it('stands in the inbox of everybody it is for, rendered, once a person', async () => {
    const message_id = await ring({ source_ref: 'first', to: to(anna, boris, anna), link: '/ParentsRecord' })
    expect((await inbox(anna)).list).toEqual([{ message_id, at: expect.any(String), source: 'probe', title: '东门铃声', body: '东门将于07:40响铃。', link: '/ParentsRecord', level: 1, subject_user_id: null, is_read: false }])
    expect([await unread(anna), await unread(boris)]).toEqual([1, 1])
  })
  it('10-M1 sent twice with one source_ref, in parallel, is one message and one delivery a channel', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => ring({ source_ref: 'twice' })))
    expect(new Set(ids).size).toBe(1)
    expect(await count(sql`select count(*) as n from message_delivery where school_id = ${school_id} and message_id = ${ids[0]}`)).toBe(1)
  })
  it('10-M2 of a caller that rolls back leaves nothing', async () => {
    const lost = ring({ source_ref: 'lost' }, () => {
      throw new Error('rolled back')
    })
    await expect(lost).rejects.toThrow('rolled back')
    expect(await count(sql`select count(*) as n from message where school_id = ${school_id} and source_ref = 'lost'`)).toBe(0)
    expect((await inbox(anna)).list.some(({ title }) => title === 'lost')).toBe(false)
  })
  it('10-M8 to a person of another school is refused with 404, nothing is queued', async () => {
    const stranger = await app.as({ school_id: other_school, codes: [] })
    await expect(ring({ source_ref: 'stranger', to: to(anna, stranger) })).rejects.toMatchObject({ failure: { status: 404, msg: '接收人不存在或不属于本校' } })
    expect(await count(sql`select count(*) as n from message where school_id = ${school_id} and source_ref = 'stranger'`)).toBe(0)
  })
  it('10-M7 holds no number of a card or mobile, no control sign, and no more than its fields allow', async () => {
    await ring({ source_ref: 'canary', to: to(boris), values: { place: '甲'.repeat(40), at: '13800138000\n\u0000370202201501011234' } })
    const [line] = (await inbox(boris)).list
    expect([line?.title, line?.body]).toEqual([`${'甲'.repeat(9)}…铃声`, `${'甲'.repeat(9)}…将于*** ***响铃。`])
  })
  it('of a template that no domain declares, or with a link out of the product, is refused', async () => {
    const unknown = { ...bell, code: 'probe.unknown' }
    await expect(ring({ source_ref: 'unknown', template: unknown })).rejects.toThrow('template probe.unknown is declared by no domain')
    await expect(ring({ source_ref: 'link', link: '//evil.test/x' })).rejects.toThrow('link of probe.bell is no path of the product')
  })
  it('to who has left the school writes no line, and the delivery says why', async () => {
    const gone = await app.as({ school_id, codes: [] })
    await app.running.database.tenant(school_id, db => sql`update school_user set left_at = ${app.clock.now()} where school_id = ${school_id} and user_id = ${gone.user_id}`.execute(db))
    const message_id = await ring({ source_ref: 'gone', to: to(gone) })
    expect(await count(sql`select count(*) as n from message_person where school_id = ${school_id} and message_id = ${message_id}`)).toBe(0)
    expect(await count(sql`select count(*) as n from message_delivery where school_id = ${school_id} and message_id = ${message_id} and state = 'skipped' and reason = 5`)).toBe(1)
  })
})

describe('the inbox', () => {
  it('is read line by line or wholly, and is nobody else’s', async () => {
    const reader = await app.as({ school_id, codes: [] })
    const ids: string[] = []
    for (const at of [1, 2, 3]) ids.push(await ring({ source_ref: `read${at}`, to: to(reader) }))
    expect((await read(boris, { ids: ids.slice(0, 1) })).status).toBe(404)
    expect((await read(reader, { ids: ids.slice(0, 1) })).status).toBe(200)
    expect((await inbox(reader, { unread: '1' })).list.map(({ message_id }) => message_id)).toEqual([ids[2], ids[1]])
    await read(reader, { all: 1 })
    expect([await unread(reader), (await inbox(reader)).list.map(({ is_read }) => is_read)]).toEqual([0, [true, true, true]])
    expect((await read(reader, { ids })).status).toBe(200)
  })
  it('is read by position, twenty lines a page, none twice', async () => {
    const reader = await app.as({ school_id, codes: [] })
    for (let at = 0; at < 45; at += 1) await ring({ source_ref: `page${at}`, to: to(reader) })
    const first = await inbox(reader)
    const second = await inbox(reader, { before: first.older ?? '' })
    const third = await inbox(reader, { before: second.older ?? '' })
    expect([first.list.length, second.list.length, third.list.length, third.older]).toEqual([20, 20, 5, null])
    expect(new Set([...first.list, ...second.list, ...third.list].map(({ message_id }) => message_id)).size).toBe(45)
  })
  it('M7 loses a withdrawn line that nobody has read, and keeps the one that was', async () => {
    const [eager, late] = [await app.as({ school_id, codes: [] }), await app.as({ school_id, codes: [] })]
    const message_id = await ring({ source_ref: 'taken', to: to(eager, late) })
    await read(eager, { ids: [message_id] })
    expect(await take('taken')).toBe(1)
    expect(await take('taken')).toBe(0)
    expect([(await inbox(eager)).list.length, (await inbox(late)).list.length]).toEqual([1, 0])
  })
})

it.each([
  ['names a field that is not declared', { title: '{who}' }, '没有名为{who}的字段'],
  ['does not fit its title', { title: '{place}'.repeat(7) }, '标题填满字段后超过60个字'],
])('a template that %s is refused where it is declared', (_what, words, sentence) => {
  expect(() => messageTemplate({ ...bell, ...words })).toThrow(sentence)
})

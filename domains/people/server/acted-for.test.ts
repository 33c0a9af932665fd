import { dataOf, domains, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { systemLogApi } from '@campus/audit/contract'
import { identityEvents, memberApi } from '@campus/identity/contract'
import { declareScope, startSession, userOff, userOn } from '@campus/identity/server'
import { studentApi, studentFileApi } from '@campus/people/contract'
import { consume } from '@kit/server/event'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from './db.ts'
import { buildSmallSchool } from './people.builders.ts'
import type { SmallSchool } from './people.builders.ts'

const school_id = 1001
const codes = ['people.student.view', 'people.student.edit', 'people.dept.view']
const day_ms = 86_400_000
const days_off = 4

let app: TestApp
let school: SmallSchool
let admin: TestUser
let teacher: TestUser
let other: TestUser
let friday: string

/** The day of the school so many days from now. */
const dayAt = (days: number) => new Date(app.clock.now().getTime() + days * day_ms + 8 * 3_600_000).toISOString().slice(0, 10)
const inSchool = <R>(fn: Parameters<typeof app.running.database.tenant<PeopleDb, R>>[1]): Promise<R> => app.running.database.tenant<PeopleDb, R>(school_id, fn)
const heads = (user_id: string, id: string) =>
  inSchool(db => declareScope(db, school_id, 'people', [{ user_id, dimension: 'dept', kind: 'class_teacher', facts: [{ id, valid_from: new Date('2026-09-01T00:00:00+08:00') }] }]))
const entrust = (draft: object, who = admin) => app.call(memberApi.substitute, { role_no: teacher.role_no, user_id: other.user_id, valid_to: friday, ...draft }, { token: who.token })
const said = ({ status, body }: { status: number; body: { msg: string } }) => [status, body.msg]
/** Signs somebody in under one of his identities. */
async function as(user_id: string, role_no: string): Promise<string> {
  const { database, app: product } = app.running
  const desk = { app: product, now: app.clock.now(), own: <D, R>(at: number, fn: Parameters<typeof database.tenant<D, R>>[1]) => database.tenant<D, R>(at, fn) }
  return (await startSession(desk, { school_id, user_id, role_no, device_label: '测试', ip: '127.0.0.1' })).token
}
const pupils = async (token: string) => dataOf(studentApi.list, await app.call(studentApi.list, {}, { token })).list.map(row => row.student_no)
const members = async () => dataOf(memberApi.list, await app.call(memberApi.list, { role_id: teacher.role_id }, { token: admin.token })).list
const remark = (token: string, word: string) => app.call(studentFileApi.update, { user_id: school.pupils[2] ?? '', row_version: 1, remark: word }, { token })

beforeAll(async () => {
  const { name, payload } = identityEvents.memberEnded
  const consumers = [consume('probe.member_ended', name, payload, async () => undefined)]
  app = await startTestApp({ domains: [...domains, { name: 'probe', migrations: import.meta.dirname, routes: [], consumers }] })
  friday = dayAt(days_off)
  school = await inSchool(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, app.running.app.secrets, school_id, root.id)
  })
  admin = await app.as({ school_id, codes: 'all' })
  teacher = await app.as({ school_id, codes, scope: 'class_teacher' })
  other = await app.as({ school_id, codes, scope: 'class_teacher' })
  await heads(teacher.user_id, school.class_2)
  await heads(other.user_id, school.class_1)
})
afterAll(() => app.close())

describe('10-B4 who acts for somebody until Friday', () => {
  let role_no: string
  let token: string

  test('is entrusted in one call, and stands in the list of members with the name of the person', async () => {
    const answer = await entrust({ reason: '外出培训' })
    expect(said(answer)).toEqual([200, '操作成功'])
    role_no = dataOf(memberApi.substitute, answer).role_no
    const row = (await members()).find(({ member }) => member?.role_no === role_no)
    const [holder] = (await members()).filter(({ user_id }) => user_id === teacher.user_id)
    expect(row?.member).toMatchObject({ acted_for: teacher.user_id, acted_for_name: holder?.user_name, valid_to: friday, reason: '外出培训' })
  })

  test('sees the class of that person and not his own, and his own alone under his own identity', async () => {
    token = await as(other.user_id, role_no)
    expect(await pupils(token)).toEqual(['20260201'])
    expect(await pupils(other.token)).not.toContain('20260201')
  })

  test('marks each act in both journals, refusals included; his own acts stay his own', async () => {
    const answer = await remark(token, '走读')
    expect(said(answer)).toEqual([200, '操作成功'])
    expect((await remark(token, '再改')).status).toBe(409)
    const view = await app.call(systemLogApi.page, { module: 'people' }, { token: admin.token })
    const lines = dataOf(systemLogApi.page, view).list.filter(row => row.user_id === other.user_id)
    const [holder] = (await members()).filter(({ user_id }) => user_id === teacher.user_id)
    expect(lines.map(row => [row.ok, row.acted_for, row.acted_for_name])).toEqual([[false, teacher.user_id, holder?.user_name], [true, teacher.user_id, holder?.user_name]])
    const archived = await inSchool(db => sql<{ acted_for: string }>`select acted_for::text from archive_log where school_id = ${school_id} and user_id = ${other.user_id}`.execute(db))
    expect(archived.rows).toEqual([{ acted_for: teacher.user_id }])
    await app.call(studentFileApi.update, { user_id: school.pupils[0] ?? '', row_version: 99, remark: '本班' }, { token: other.token })
    const [own] = dataOf(systemLogApi.page, await app.call(systemLogApi.page, { module: 'people' }, { token: admin.token })).list
    expect([own?.user_id, own?.acted_for]).toEqual([other.user_id, null])
  })

  test('detail and the other lines of an object bear the name too', async () => {
    const [line] = dataOf(systemLogApi.page, await app.call(systemLogApi.page, { module: 'people' }, { token: admin.token })).list.filter(row => row.acted_for !== null && row.ok)
    const detail = dataOf(systemLogApi.detail, await app.call(systemLogApi.detail, { id: line?.log_id ?? '' }, { token: admin.token }))
    expect([detail.row.acted_for_name, detail.same_object.some(row => row.acted_for_name === detail.row.acted_for_name)]).toEqual([line?.acted_for_name, true])
  })

  test('is refused where it makes no sense, and nothing is given', async () => {
    const before = (await members()).length
    expect(said(await entrust({ user_id: teacher.user_id }))).toEqual([422, '代办人不能是本人，请选择其他人员'])
    expect(said(await entrust({ role_no, user_id: admin.user_id }))).toEqual([422, '该身份本身是代办，不能再委托他人'])
    expect(said(await entrust({}))).toEqual([409, '该人员已有此角色'])
    expect(said(await entrust({ valid_to: dayAt(-20) }))).toEqual([422, '结束日期不能早于开始日期'])
    expect((await entrust({ valid_to: undefined })).status).toBe(400)
    expect((await entrust({ role_no: '99999999' })).status).toBe(404)
    const lesser = await app.as({ school_id, codes: ['identity.member.edit', 'people.dept.view'] })
    expect(said(await entrust({ user_id: lesser.user_id }, lesser))).toEqual([422, '不能授予自己没有的权限'])
    expect((await members()).length).toBe(before)
  })

  test('of a membership that ends itself, no longer than that', async () => {
    const short = await app.as({ school_id, codes })
    await inSchool(db => sql`update role_member set valid_to = ${new Date(`${dayAt(2)}T00:00:00+08:00`)} where school_id = ${school_id} and role_no = ${short.role_no}`.execute(db))
    expect(said(await entrust({ role_no: short.role_no, valid_to: dayAt(2) }))).toEqual([422, '代办的结束日期不能晚于原身份的结束日期'])
    expect((await entrust({ role_no: short.role_no, valid_to: dayAt(1) })).status).toBe(200)
  })

  test('whoever holds the same role himself may act for another beside it', async () => {
    const colleague = await app.as({ school_id, codes })
    await inSchool(db => sql`insert into role_member (school_id, role_id, user_id, source) values (${school_id}, ${teacher.role_id}, ${colleague.user_id}, 'manual')`.execute(db))
    expect((await entrust({ user_id: colleague.user_id })).status).toBe(200)
  })

  test('is over with the last day: the session ends, nothing is seen any more', async () => {
    app.clock.advance(new Date(`${friday}T23:59:00+08:00`).getTime() - app.clock.now().getTime())
    const late = await as(other.user_id, role_no)
    expect(await pupils(late)).toEqual(['20260201'])
    app.clock.advance(day_ms)
    expect((await app.call(studentApi.list, {}, { token: late })).status).toBe(401)
  })
})

describe('10-B4 what is held on behalf of somebody lasts no longer than what he holds himself', () => {
  beforeAll(async () => {
    // Far from midnight: days are counted from now.
    app.clock.advance(day_ms / 2)
    admin = await app.as({ school_id, codes: 'all' })
  })

  /** Somebody who entrusts another for four days. */
  async function entrusted(draft: object = {}) {
    const [holder, acting] = [await app.as({ school_id, codes }), await app.as({ school_id, codes })]
    const answer = await entrust({ role_no: holder.role_no, user_id: acting.user_id, valid_to: dayAt(days_off), ...draft })
    return { holder, acting, role_no: dataOf(memberApi.substitute, answer).role_no }
  }
  const stored = async (role_no: string) =>
    (await inSchool(db => sql<{ valid_to: Date }>`select valid_to from role_member where school_id = ${school_id} and role_no = ${role_no}`.execute(db))).rows.map(row => row.valid_to.getTime())
  const ends = async (role_no: string) =>
    (await inSchool(db => sql`select from outbox where school_id = ${school_id} and name = 'identity.member.ended' and payload::text like ${`%"role_no": "${role_no}"%`}`.execute(db))).rows.length
  const sees = async (token: string) => (await app.call(studentApi.list, {}, { token })).status
  const remove = async (role_no: string) => dataOf(memberApi.remove, await app.call(memberApi.remove, { role_nos: [role_no], reason: '调离' }, { token: admin.token }))
  const endOf = (day: string) => Date.parse(`${day}T00:00:00+08:00`) + day_ms

  test('it ends with it at once, which is told; his own identity stays', async () => {
    const { holder, acting, role_no } = await entrusted()
    const token = await as(acting.user_id, role_no)
    expect(await sees(token)).toBe(200)
    expect(await remove(holder.role_no)).toEqual({ ended: 1, sessions: 2 })
    expect([await sees(token), await sees(acting.token)]).toEqual([401, 200])
    const [ended_at = Infinity] = await stored(role_no)
    expect([ended_at <= app.clock.now().getTime(), await ends(role_no)]).toEqual([true, 1])
    const [line] = dataOf(systemLogApi.page, await app.call(systemLogApi.page, { module: 'identity', op_type: '9' }, { token: admin.token })).list
    const { changes } = dataOf(systemLogApi.detail, await app.call(systemLogApi.detail, { id: line?.log_id ?? '' }, { token: admin.token }))
    expect(changes).toContainEqual({ field: 'substitutes', label: '一并结束的代办', before: '1', after: null })
  })

  test('one that has not begun is taken back, and one of another person is left alone', async () => {
    const [ahead, untouched] = [await entrusted({ valid_from: dayAt(2) }), await entrusted()]
    expect(await remove(ahead.holder.role_no)).toMatchObject({ ended: 1 })
    expect([await stored(ahead.role_no), await ends(ahead.role_no)]).toEqual([[], 1])
    expect([await stored(untouched.role_no), await ends(untouched.role_no)]).toEqual([[endOf(dayAt(days_off))], 0])
  })

  test('it is shortened with it, and lasts until then', async () => {
    const { holder, acting, role_no } = await entrusted()
    const shorten = (valid_to: string, row_version: number) => app.call(memberApi.update, { role_no: holder.role_no, row_version, valid_to }, { token: admin.token })
    expect((await shorten(dayAt(days_off + 1), 1)).status).toBe(200)
    expect(await stored(role_no)).toEqual([endOf(dayAt(days_off))])
    expect((await shorten(dayAt(1), 2)).status).toBe(200)
    expect([await stored(role_no), await ends(role_no)]).toEqual([[endOf(dayAt(1))], 0])
    expect(await sees(await as(acting.user_id, role_no))).toBe(200)
  })

  test('it ends when the person leaves, and is there again when that is taken back', async () => {
    const { holder, acting, role_no } = await entrusted()
    const token = await as(acting.user_id, role_no)
    const { app: product } = app.running
    app.clock.advance(1000)
    const desk = { app: product, school_id, now: app.clock.now() }
    const gone = await inSchool(db => userOff({ ...desk, db }, [holder.user_id]))
    expect([await sees(token), await stored(role_no)]).toEqual([401, [desk.now.getTime()]])
    await inSchool(db => userOn({ ...desk, db }, gone))
    expect(await stored(role_no)).toEqual([endOf(dayAt(days_off))])
  })
})

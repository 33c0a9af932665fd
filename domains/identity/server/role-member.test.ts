import { test_schools } from '@apps/server/testing'
import type { TestUser } from '@apps/server/testing'
import { memberApi, roleApi } from '@campus/identity/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureUsers } from './account.queries.ts'
import { grantRole } from './role.queries.ts'
import { schoolDay } from './school-day.ts'
import { own } from './testing/person.ts'
import { openRoleDesk, said, school_id } from './testing/role-desk.ts'
import type { RoleDesk } from './testing/role-desk.ts'

let desk: RoleDesk
beforeAll(async () => {
  desk = await openRoleDesk()
})
afterAll(() => desk.app.close())

const dayAt = (days: number) => schoolDay(new Date(desk.app.clock.now().getTime() + days * 86_400_000))
const members = async (role_id: string, more: object = {}) => (await desk.done(memberApi.list, { role_id, ...more })).list
const reasonOf = async (session_id: string) => {
  const row = await own(desk.app.running.database, school_id, db => db.selectFrom('session').select('revoke_reason').where('school_id', '=', school_id).where('session_id', '=', session_id).executeTakeFirst())
  return row?.revoke_reason
}

describe('giving a role', () => {
  test('each person gets it or is told why not', async () => {
    const { role_id } = await desk.makeRole()
    const [first, second] = [await desk.makePerson('张三'), await desk.makePerson('李四')]
    await desk.give(role_id, first)
    const foreign = await desk.makePerson('外校', test_schools.b)
    const { added, list } = await desk.done(memberApi.add, { role_id, users: [{ user_id: first }, { user_id: second }, { user_id: second }, { user_id: foreign }, { user_id: first, user_dep: '987654' }], reason: '开学' })
    expect(added).toBe(1)
    expect(list).toEqual([
      { user_id: first, user_name: '张三', role_no: null, error: '该人员已有此角色' },
      { user_id: second, user_name: '李四', role_no: expect.any(String), error: null },
      { user_id: foreign, user_name: null, role_no: null, error: '人员不存在' },
      { user_id: first, user_name: '张三', role_no: null, error: '部门不存在' },
    ])
    expect((await members(role_id)).map(row => [row.user_name, row.member?.reason, row.member?.source])).toEqual([['张三', null, 'manual'], ['李四', '开学', 'manual']])
  })

  test('nobody new: the call is refused and says why of each', async () => {
    const { role_id } = await desk.makeRole()
    const user_id = await desk.makePerson('王五')
    await desk.give(role_id, user_id)
    const again = await desk.call(memberApi.add, { role_id, users: [{ user_id }] })
    expect(said(again)).toEqual([409, '该人员已有此角色'])
    expect(again.body.data).toEqual({ list: [{ user_id, user_name: '王五', role_no: null, error: '该人员已有此角色' }] })
  })

  test('two at once give it once', async () => {
    const { role_id } = await desk.makeRole()
    const user_id = await desk.makePerson()
    const answers = await Promise.all([1, 2].map(() => desk.call(memberApi.add, { role_id, users: [{ user_id }] })))
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
  })

  test('nobody gives what he does not hold, or more than 500 at once', async () => {
    const { role_id } = await desk.makeRole(['people.student.edit'])
    const lesser = await desk.app.as({ school_id, codes: ['identity.member.edit', 'people.student.view'] })
    const user_id = await desk.makePerson()
    expect(said(await desk.call(memberApi.add, { role_id, users: [{ user_id }] }, lesser))).toEqual([422, '不能授予自己没有的权限'])
    const crowd = Array.from({ length: 501 }, (_, number) => ({ user_id: String(number + 1) }))
    expect((await desk.call(memberApi.add, { role_id, users: crowd })).status).toBe(400)
  })

  test('only to people within the own departments', async () => {
    const { role_id } = await desk.makeRole()
    const narrow = await desk.app.as({ school_id, codes: ['identity.member.edit', 'identity.member.view'], scope: 'own' })
    const user_id = await desk.makePerson()
    expect(said(await desk.call(memberApi.add, { role_id, users: [{ user_id }] }, narrow))).toEqual([404, '人员不存在'])
    await desk.give(role_id, user_id)
    expect((await desk.done(memberApi.list, { role_id }, narrow)).total).toBe(0)
    expect((await desk.done(memberApi.list, { keyword: narrow.user_no }, narrow)).list.map(row => row.user_id)).toEqual([narrow.user_id])
  })

  test('a later beginning waits; its days may change until it begins', async () => {
    const { role_id } = await desk.makeRole()
    const user_id = await desk.makePerson()
    await desk.done(memberApi.add, { role_id, users: [{ user_id }], valid_from: dayAt(3), valid_to: dayAt(5) })
    expect(await members(role_id)).toEqual([])
    const [row] = await members(role_id, { state: 'future' })
    expect(row?.member).toMatchObject({ state: 'future', valid_from: dayAt(3), valid_to: dayAt(5), is_ending: true, online: false, last_login_at: null, row_version: 1 })
    const role_no = row?.member?.role_no ?? ''
    const changed = await desk.done(memberApi.update, { role_no, row_version: 1, valid_from: dayAt(0), valid_to: null })
    expect(changed).toEqual({ role_no, valid_from: dayAt(0), valid_to: null, row_version: 2 })
    expect(said(await desk.call(memberApi.update, { role_no, row_version: 1, valid_to: dayAt(9) }))).toEqual([409, '数据已被他人修改，请刷新后重试'])
    expect(said(await desk.call(memberApi.update, { role_no, row_version: 2, valid_from: dayAt(2) }))).toEqual([422, '已开始的成员关系不能修改开始日期'])
    expect((await members(role_id)).map(one => one.member?.state)).toEqual(['current'])
  })
})

describe('ending a membership', () => {
  test('10-A10 ends its sessions: the next call is 401, and the past is kept', async () => {
    const holder = await desk.app.as({ school_id, codes: ['identity.role.view'] })
    expect((await desk.call(roleApi.list, {}, holder)).status).toBe(200)
    expect(await desk.done(memberApi.remove, { role_nos: [holder.role_no], reason: '调离' })).toEqual({ ended: 1, sessions: 1 })
    expect((await desk.call(roleApi.list, {}, holder)).status).toBe(401)
    expect(await reasonOf(holder.session_id)).toBe('role_ended')
    const [row] = await members(holder.role_id, { state: 'ended' })
    expect(row?.member).toMatchObject({ role_no: holder.role_no, state: 'ended', valid_to: dayAt(0), reason: '调离' })
    expect(await desk.done(memberApi.remove, { role_nos: [holder.role_no] })).toEqual({ ended: 0, sessions: 0 })
    expect(said(await desk.call(memberApi.update, { role_no: holder.role_no, row_version: 2, valid_to: null }))).toEqual([409, '该成员关系已结束，请重新添加'])
  })

  test('one that has not begun is taken back; another school’s is not found; the own is not touched', async () => {
    const { role_id } = await desk.makeRole()
    await desk.done(memberApi.add, { role_id, users: [{ user_id: await desk.makePerson() }], valid_from: dayAt(3) })
    const [row] = await members(role_id, { state: 'future' })
    const role_no = row?.member?.role_no ?? ''
    const foreign = await desk.app.as({ school_id: test_schools.b, codes: 'all' })
    expect((await desk.call(memberApi.remove, { role_nos: [role_no] }, foreign)).status).toBe(404)
    expect(await desk.done(memberApi.remove, { role_nos: [role_no] })).toEqual({ ended: 1, sessions: 0 })
    expect([await members(role_id, { state: 'future' }), await members(role_id, { state: 'ended' })]).toEqual([[], []])
    expect(said(await desk.call(memberApi.remove, { role_nos: [desk.admin.role_no] }))).toEqual([422, '不能修改自己当前的角色'])
    expect(said(await desk.call(memberApi.update, { role_no: desk.admin.role_no, row_version: 1, valid_to: dayAt(2) }))).toEqual([422, '不能修改自己当前的角色'])
  })

  test('10-A11 two administrators remove each other at once: exactly one succeeds', async () => {
    const at = test_schools.b
    const codes = ['identity.member.edit']
    const { role_id } = await desk.app.as({ school_id: at, codes: 'all' })
    for (let round = 0; round < 3; round += 1) {
      await endAll(at)
      // Both work under another identity, so that losing the right does not end the session they ask with.
      const [one, two] = [await desk.app.as({ school_id: at, codes }), await desk.app.as({ school_id: at, codes })]
      const valid_from = desk.app.clock.now()
      const held = await own(desk.app.running.database, at, db => grantRole(db, at, [one, two].map(({ user_id }) => ({ role_id, user_id, valid_from }))))
      const remove = (by: TestUser, role_no = '') => desk.call(memberApi.remove, { role_nos: [role_no] }, by)
      const answers = await Promise.all([remove(one, held[1]), remove(two, held[0])])
      expect(answers.map(said).toSorted()).toEqual([[200, '操作成功'], [409, '至少保留一名管理员']])
      const left = await own(desk.app.running.database, at, db => db.selectFrom('role_member').select('role_no').where('school_id', '=', at).where('role_id', '=', role_id).where('valid_to', 'is', null).execute())
      expect(left).toHaveLength(1)
    }
  })

  test('the last administrator is not removed by somebody of another right', async () => {
    const at = test_schools.enterprise
    const last = await desk.app.as({ school_id: at, codes: 'all' })
    const helper = await desk.app.as({ school_id: at, codes: ['identity.member.edit'] })
    expect(said(await desk.call(memberApi.remove, { role_nos: [last.role_no] }, helper))).toEqual([409, '至少保留一名管理员'])
    expect((await desk.call(roleApi.list, {}, last)).status).toBe(200)
    const other = await desk.app.as({ school_id: at, codes: 'all' })
    expect((await desk.done(memberApi.remove, { role_nos: [last.role_no] }, other)).ended).toBe(1)
    expect((await desk.call(roleApi.list, {}, last)).status).toBe(401)
  })
})

async function endAll(at: number): Promise<void> {
  const now = desk.app.clock.now()
  await own(desk.app.running.database, at, db => db.updateTable('role_member').set({ valid_to: now }).where('school_id', '=', at).where('valid_to', 'is', null).execute())
}

describe('members', () => {
  test('who held a role on a day', async () => {
    const { role_id } = await desk.makeRole()
    const gone = await desk.give(role_id, await desk.makePerson('已离任'))
    await desk.give(role_id, await desk.makePerson('在任'))
    await desk.done(memberApi.remove, { role_nos: [gone] })
    const on = async (day: string) => (await desk.done(memberApi.holders, { role_id, on: day })).list.map(row => [row.user_name, row.valid_to])
    expect(await on(dayAt(0))).toEqual([['已离任', dayAt(0)], ['在任', null]])
    expect(await on(dayAt(1))).toEqual([['在任', null]])
    expect(await on(dayAt(-1))).toEqual([])
  })

  test('are found by name, number and what the directory knows; the picker knows everybody', async () => {
    const { role_id } = await desk.makeRole()
    const user_id = await desk.makePerson('欧阳修远')
    await desk.give(role_id, user_id)
    expect((await desk.done(memberApi.list, { keyword: '修远' })).list).toMatchObject([{ user_id, user_name: '欧阳修远', member: null, account_state: 'none', dept_name: null }])
    expect((await members(role_id, { keyword: '修远' })).map(row => row.user_id)).toEqual([user_id])
    expect(await members(role_id, { keyword: '查无此人' })).toEqual([])
    expect((await desk.call(memberApi.list, { role_id, dept_id: '987654' })).status).toBe(404)
  })

  test('say whether they are online and when they last came', async () => {
    const holder = await desk.app.as({ school_id, codes: [] })
    const listed = async (online: boolean) => (await members(holder.role_id, { online })).map(row => [row.member?.online, typeof row.member?.last_login_at])
    expect([await listed(true), await listed(false)]).toEqual([[[true, 'string']], []])
    const affected = async () => (await desk.done(roleApi.matrix, { role_id: holder.role_id })).affected
    expect(await affected()).toEqual({ members: 1, online: 1 })
    desk.app.clock.advance(6 * 60_000)
    expect([await listed(true), await listed(false)]).toEqual([[], [[false, 'string']]])
    expect(await affected()).toEqual({ members: 1, online: 0 })
  })

  test('a page holds 20', async () => {
    const { role_id } = await desk.makeRole()
    const people = Array.from({ length: 25 }, (_, number) => ({ user_no: `PAGE${String(number).padStart(2, '0')}`, user_name: `第${number}`, user_kind: 2 }))
    const ids = await own(desk.app.running.database, school_id, db => ensureUsers(db, school_id, people))
    expect((await desk.done(memberApi.add, { role_id, users: ids.map(user_id => ({ user_id })) })).added).toBe(25)
    const second = await desk.done(memberApi.list, { role_id, page_index: 2 })
    expect([second.total, second.list.map(row => row.user_no)]).toEqual([25, ['PAGE20', 'PAGE21', 'PAGE22', 'PAGE23', 'PAGE24']])
  })
})

import { test_schools } from '@apps/server/testing'
import { memberApi, roleApi, roleGroupApi, sessionApi } from '@campus/identity/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { own } from './testing/person.ts'
import { openRoleDesk, said, school_id } from './testing/role-desk.ts'
import type { RoleDesk } from './testing/role-desk.ts'

let desk: RoleDesk
beforeAll(async () => {
  desk = await openRoleDesk()
})
afterAll(() => desk.app.close())

const listed = async (name: string) => (await desk.done(roleApi.list, { keyword: name })).list.find(role => role.name === name)
const systemRole = async (code: string) => {
  const found = (await desk.done(roleApi.list, { keyword: code })).list.find(role => role.code === code)
  if (!found) throw new Error(`no role ${code}`)
  return found
}

describe('roles', () => {
  test('a new one is the school’s own, has nobody and may do nothing', async () => {
    const { role_id } = await desk.done(roleApi.add, { name: '值周教师', role_group_id: desk.group_id, allow_login_web: 1, allow_login_web_text: '请使用手机端登录' })
    expect(await listed('值周教师')).toMatchObject({
      role_id, group_code: 'SYS003', is_system: false, enabled: true, allow_login_web: 1, allow_login_web_text: '请使用手机端登录', dept_is_exact: 0,
      member_count: 0, online_count: 0, permission_count: 0, perm_version: 1, is_own: false, is_fixed: false, scopes: { dept: { kind: 'none', ids: [], names: [] } },
    })
    expect((await listed('值周教师'))?.code).toMatch(/^CUS_[0-9]+$/)
  })

  test('two made at once get two codes; a name stands once in a group', async () => {
    const both = await Promise.all(['同时甲', '同时乙'].map(name => desk.done(roleApi.add, { name, role_group_id: desk.group_id })))
    expect(new Set(both.map(role => role.role_id)).size).toBe(2)
    expect(said(await desk.call(roleApi.add, { name: '同时甲', role_group_id: desk.group_id }))).toEqual([409, '名称已存在'])
  })

  test('a name means one role of the console: another group refuses it too, made at once, copied or renamed', async () => {
    const other = (await desk.done(sessionApi.roleGroups, {})).list.find(group => group.code === 'SYS002')
    if (!other) throw new Error('no second group')
    const at_once = await Promise.all([desk.group_id, other.role_group_id].map(role_group_id => desk.call(roleApi.add, { name: '唯一名称', role_group_id })))
    expect(at_once.map(answer => answer.status).toSorted()).toEqual([200, 409])
    const [refused] = at_once.filter(answer => answer.status === 409)
    expect(refused?.body.msg).toMatch(/^“.+”中已有同名角色，请换一个名称$/)
    const { role_id } = await desk.done(roleApi.add, { name: '另一名称', role_group_id: desk.group_id })
    const row_version = (await listed('另一名称'))?.row_version ?? 0
    const taken = (await desk.done(roleApi.list, { keyword: '唯一名称' })).list[0]?.role_group_id === desk.group_id ? other.role_group_id : desk.group_id
    await desk.done(roleApi.edit, { role_id, row_version, role_group_id: taken })
    expect((await desk.call(roleApi.edit, { role_id, row_version: row_version + 1, name: '唯一名称' })).status).toBe(409)
    expect((await desk.call(roleApi.copy, { role_id, name: '唯一名称' })).status).toBe(409)
    await desk.done(roleApi.edit, { role_id, row_version: row_version + 1, name: '另一名称' })
  })

  test.each([
    ['', '请填写名称'],
    ['二十一个字的角色名称一二三四五六七八九十一', '超过20个字'],
    ['带<号', '不能包含特殊字符'],
  ])('the name %s is refused', async (name, msg) => {
    const answer = await desk.call(roleApi.add, { name, role_group_id: desk.group_id })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body.data)).toContain(msg)
  })

  test('an edit changes what is named, with the version that was read', async () => {
    const { role_id, name } = await desk.makeRole()
    const row_version = (await listed(name))?.row_version ?? 0
    expect(await desk.done(roleApi.edit, { role_id, row_version, name: `${name}改`, dept_is_exact: 1 })).toEqual({ role_id, row_version: row_version + 1 })
    expect(said(await desk.call(roleApi.edit, { role_id, row_version, name: '又改' }))).toEqual([409, '数据已被他人修改，请刷新后重试'])
    expect(await listed(`${name}改`)).toMatchObject({ dept_is_exact: 1, enabled: true })
  })

  test('those of the system keep code and group and are not removed; that of super accounts is not touched', async () => {
    const admin = await systemRole('SYS001_SchoolAdmin')
    const renamed = await desk.done(roleApi.edit, { role_id: admin.role_id, row_version: admin.row_version, name: '学校管理员' })
    expect(await systemRole('SYS001_SchoolAdmin')).toMatchObject({ name: '学校管理员', row_version: renamed.row_version })
    expect(said(await desk.call(roleApi.edit, { role_id: admin.role_id, row_version: renamed.row_version, role_group_id: desk.group_id }))).toEqual([422, '系统角色不能更换角色组'])
    expect(said(await desk.call(roleApi.remove, { role_id: admin.role_id }))).toEqual([422, '系统角色不能删除'])
    const root = await systemRole('SYS001_Super')
    expect(root.is_fixed).toBe(true)
    const user_id = await desk.makePerson()
    for (const answer of [
      await desk.call(roleApi.edit, { role_id: root.role_id, row_version: root.row_version, name: '别名' }),
      await desk.call(roleApi.saveMatrix, { role_id: root.role_id, version: root.perm_version, grant: ['identity.role.view'] }),
      await desk.call(roleApi.remove, { role_id: root.role_id }),
      await desk.call(memberApi.add, { role_id: root.role_id, users: [{ user_id }] }),
    ]) expect(said(answer)).toEqual([422, '超级管理员角色不能修改'])
  })

  test('one is removed when nobody holds it or will; its name is free again and its past is kept', async () => {
    const { role_id, name } = await desk.makeRole()
    const role_no = await desk.give(role_id, await desk.makePerson())
    expect(said(await desk.call(roleApi.remove, { role_id }))).toEqual([409, '角色下还有成员，不能删除'])
    await desk.done(memberApi.remove, { role_nos: [role_no] })
    await desk.done(roleApi.remove, { role_id })
    expect(await listed(name)).toBeUndefined()
    expect(said(await desk.call(roleApi.matrix, { role_id }))).toEqual([404, '数据不存在或已被删除'])
    await desk.done(roleApi.add, { name, role_group_id: desk.group_id })
    const kept = await own(desk.app.running.database, school_id, db => db.selectFrom('role_member').select('role_id').where('school_id', '=', school_id).where('role_no', '=', role_no).execute())
    expect(kept).toEqual([{ role_id }])
  })

  test('switching one off ends the sessions under it', async () => {
    const holder = await desk.app.as({ school_id, codes: ['identity.role.view'] })
    expect((await desk.call(roleApi.list, {}, holder)).status).toBe(200)
    const role = (await desk.done(roleApi.list, {})).list.find(row => row.role_id === holder.role_id)
    await desk.done(roleApi.edit, { role_id: holder.role_id, row_version: role?.row_version ?? 0, enabled: false })
    expect((await desk.call(roleApi.list, {}, holder)).status).toBe(401)
    const session = await own(desk.app.running.database, school_id, db => db.selectFrom('session').select('revoke_reason').where('school_id', '=', school_id).where('session_id', '=', holder.session_id).executeTakeFirst())
    expect(session).toEqual({ revoke_reason: 'role_disabled' })
  })

  test('a copy has the permissions and scopes of the other, if the caller holds them', async () => {
    const { role_id } = await desk.makeRole(['people.student.edit'])
    await desk.done(roleApi.saveMatrix, { role_id, version: 2, scopes: { dept: { kind: 'class_teacher' } } })
    const copy = await desk.done(roleApi.copy, { role_id, name: '副本甲' })
    expect(await listed('副本甲')).toMatchObject({ permission_count: 2, scopes: { dept: { kind: 'class_teacher' } } })
    const diff = await desk.done(roleApi.diff, { a: role_id, b: copy.role_id })
    expect(diff.ops.map(op => [op.code, op.in_a, op.in_b])).toEqual([['people.student.view', true, true], ['people.student.edit', true, true]])
    const lesser = await desk.app.as({ school_id, codes: ['identity.role.edit', 'people.student.view'] })
    expect(said(await desk.call(roleApi.copy, { role_id, name: '副本乙' }, lesser))).toEqual([422, '不能授予自己没有的权限'])
  })
})

describe('role groups', () => {
  const groups = async () => (await desk.done(sessionApi.roleGroups, {})).list

  test('are made, renamed, sorted and removed', async () => {
    const { role_group_id } = await desk.done(roleGroupApi.add, { name: '临时人员' })
    expect((await groups()).at(-1)).toMatchObject({ role_group_id, name: '临时人员', is_system: false, client_kind: 'web', role_count: 0 })
    expect(said(await desk.call(roleGroupApi.add, { name: '临时人员' }))).toEqual([409, '名称已存在'])
    expect((await desk.done(roleGroupApi.edit, { role_group_id, row_version: 1, name: '外聘人员' })).row_version).toBe(2)
    expect(said(await desk.call(roleGroupApi.edit, { role_group_id, row_version: 1, name: '再改' }))).toEqual([409, '数据已被他人修改，请刷新后重试'])
    const order = (await groups()).map(group => group.role_group_id).toReversed()
    await desk.done(roleGroupApi.sort, { role_group_ids: order })
    expect((await groups()).map(group => group.role_group_id)).toEqual(order)
    expect(said(await desk.call(roleGroupApi.sort, { role_group_ids: order.slice(1) }))).toEqual([409, '数据已被他人修改，请刷新后重试'])
    const { role_id } = await desk.done(roleApi.add, { name: '门岗', role_group_id })
    expect(said(await desk.call(roleGroupApi.remove, { role_group_id }))).toEqual([409, '角色组下还有角色，不能删除'])
    await desk.done(roleApi.remove, { role_id })
    await desk.done(roleGroupApi.remove, { role_group_id })
    expect((await groups()).map(group => group.role_group_id)).toEqual(order.slice(1))
  })

  test('those of the system stay, and another school’s are not found', async () => {
    expect(said(await desk.call(roleGroupApi.remove, { role_group_id: desk.group_id }))).toEqual([422, '系统角色组不能删除'])
    const foreign = await desk.app.as({ school_id: test_schools.b, codes: 'all' })
    expect((await desk.call(roleGroupApi.remove, { role_group_id: desk.group_id }, foreign)).status).toBe(404)
  })
})

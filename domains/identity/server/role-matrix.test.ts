import { test_schools } from '@apps/server/testing'
import { platform_codes, roleApi, sessionApi } from '@campus/identity/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { own } from './testing/person.ts'
import { openRoleDesk, said, school_id } from './testing/role-desk.ts'
import type { RoleDesk } from './testing/role-desk.ts'

let desk: RoleDesk
beforeAll(async () => {
  desk = await openRoleDesk()
})
afterAll(() => desk.app.close())

const codesOf = async (role_id: string) => {
  const { modules } = await desk.done(roleApi.matrix, { role_id })
  return modules.flatMap(module => module.ops).filter(op => op.granted).map(op => op.code).toSorted()
}
const rootDept = async (at: number) => {
  const { rows } = await own(desk.app.running.database, at, async db => ({ rows: await db.withTables<{ dept: { school_id: number; id: string } }>().selectFrom('dept').select('id').where('school_id', '=', at).limit(1).execute() }))
  return rows[0]?.id ?? ''
}

describe('the matrix', () => {
  test('holds every permission of the product in words, and what the caller may give', async () => {
    const { role_id } = await desk.makeRole(['people.student.edit'])
    const lesser = await desk.app.as({ school_id, codes: ['identity.role.edit', 'people.student.view'], scope: 'own_below' })
    const matrix = await desk.done(roleApi.matrix, { role_id }, lesser)
    const ops = matrix.modules.flatMap(module => module.ops)
    expect(ops.map(op => op.code).toSorted()).toEqual([...desk.app.running.app.codes].filter(code => !platform_codes.has(code)).toSorted())
    expect(ops.filter(op => op.granted).map(op => op.code)).toEqual(['people.student.view', 'people.student.edit'])
    expect(ops.find(op => op.code === 'people.student.view')).toEqual({
      code: 'people.student.view', noun: 'people.student', noun_name: '学生档案', verb: 'view', verb_name: '查看', column: 'view', granted: true, grantable: true, locked: null, pages: ['学生家长档案'],
    })
    expect(ops.find(op => op.code === 'people.student.edit')).toMatchObject({ grantable: false, locked: '您没有该权限，不能授予' })
    expect(matrix).toMatchObject({ role_id, version: 2, locked: null, affected: { members: 0, online: 0 }, scopes: { dept: { kind: 'none' }, place: { kind: 'none' } } })
    expect(matrix.scope_kinds.dept).toEqual(['own', 'own_below', 'custom', 'self', 'none'])
    expect((await desk.done(roleApi.matrix, { role_id: lesser.role_id }, lesser)).locked).toBe('不能修改自己当前的角色')
  })

  test('granting brings the view along, revoking the view takes the rest; the version rises', async () => {
    const { role_id, version } = await desk.makeRole()
    const first = await desk.done(roleApi.saveMatrix, { role_id, version, grant: ['people.student.edit', 'people.dept.edit'] })
    expect(first).toEqual({ version: version + 1, granted: ['people.dept.edit', 'people.dept.view', 'people.student.edit', 'people.student.view'], revoked: [] })
    const second = await desk.done(roleApi.saveMatrix, { role_id, version: version + 1, revoke: ['people.student.view'] })
    expect(second.revoked).toEqual(['people.student.edit', 'people.student.view'])
    expect(await codesOf(role_id)).toEqual(['people.dept.edit', 'people.dept.view'])
  })

  test('the log holds what changed, before and after', async () => {
    const { role_id, version } = await desk.makeRole(['people.dept.view'])
    await desk.done(roleApi.saveMatrix, { role_id, version, grant: ['people.student.view'], revoke: ['people.dept.view'], scopes: { dept: { kind: 'own' } } })
    const lines = await own(desk.app.running.database, school_id, db => db
      .withTables<{ operation_log: { school_id: number; call: string; target_id: string | null; before: unknown; after: unknown; op_type: number; happened_at: Date } }>()
      .selectFrom('operation_log').select(['before', 'after', 'op_type']).where('school_id', '=', school_id).where('target_id', '=', role_id).where('call', '=', 'identity.role.saveMatrix').orderBy('happened_at', 'desc').limit(1).execute())
    expect(lines).toEqual([{
      op_type: 9,
      before: { codes: ['people.dept.view'], dept_scope: { kind: 'none', ids: [] } },
      after: { codes: ['people.student.view'], dept_scope: { kind: 'own', ids: [] } },
    }])
  })

  test('10-A10 a code that is taken away is gone at the holder’s next call, and his session goes on', async () => {
    const holder = await desk.app.as({ school_id, codes: ['identity.role.view', 'people.dept.view'] })
    expect((await desk.call(roleApi.list, {}, holder)).status).toBe(200)
    const { version } = await desk.done(roleApi.matrix, { role_id: holder.role_id })
    await desk.done(roleApi.saveMatrix, { role_id: holder.role_id, version, revoke: ['identity.role.view'] })
    expect(said(await desk.call(roleApi.list, {}, holder))).toEqual([403, '无权限查看'])
    expect((await desk.call(sessionApi.mine, {}, holder)).status).toBe(200)
  })
})

describe('10-A12 nothing changes when the change is refused', () => {
  test.each<[string, (role_id: string, version: number) => Promise<{ status: number; body: { msg: string } }>, number, string]>([
    ['a stale version', (role_id, version) => desk.call(roleApi.saveMatrix, { role_id, version: version - 1, grant: ['people.dept.view'] }), 409, '数据已被他人修改，请刷新后重试'],
    ['an unknown code', (role_id, version) => desk.call(roleApi.saveMatrix, { role_id, version, grant: ['people.dept.view', 'nobody.knows.this'] }), 400, '请求内容有误，请检查后重试'],
    ['an unknown code to revoke', (role_id, version) => desk.call(roleApi.saveMatrix, { role_id, version, revoke: ['nobody.knows.this'] }), 400, '请求内容有误，请检查后重试'],
    ['a change that contradicts itself', (role_id, version) => desk.call(roleApi.saveMatrix, { role_id, version, grant: ['people.dept.edit'], revoke: ['people.dept.view'] }), 400, '请求内容有误，请检查后重试'],
    ['an unknown department', (role_id, version) => desk.call(roleApi.saveMatrix, { role_id, version, grant: ['people.dept.view'], scopes: { dept: { kind: 'custom', ids: ['999999'] } } }), 404, '数据不存在或已被删除'],
    ['a custom scope without ids', (role_id, version) => desk.call(roleApi.saveMatrix, { role_id, version, scopes: { dept: { kind: 'custom' } } }), 400, '请求内容有误，请检查后重试'],
  ])('%s', async (_name, attempt, status, msg) => {
    const { role_id, version } = await desk.makeRole(['people.student.view'])
    const before = await desk.app.checksum()
    expect(said(Object.assign(await attempt(role_id, version)))).toEqual([status, msg])
    expect(await desk.app.checksum()).toBe(before)
  })

  test('a code or scope the caller lacks, and his own role', async () => {
    const lesser = await desk.app.as({ school_id, codes: ['identity.role.edit', 'people.dept.view'], scope: 'own' })
    const { role_id, version } = await desk.makeRole(['people.student.view'])
    const before = await desk.app.checksum()
    const attempts = [
      { grant: ['people.dept.view', 'people.student.edit'] },
      { revoke: ['people.student.view'] },
      { grant: ['people.dept.edit'] },
      { scopes: { dept: { kind: 'all' as const } } },
      { scopes: { dept: { kind: 'own_below' as const } } },
      { scopes: { dept: { kind: 'custom' as const, ids: [await rootDept(school_id)] } } },
      { scopes: { place: { kind: 'all' as const } } },
    ]
    for (const attempt of attempts) expect(said(await desk.call(roleApi.saveMatrix, { role_id, version, ...attempt }, lesser))).toEqual([422, '不能授予自己没有的权限'])
    expect(said(await desk.call(roleApi.saveMatrix, { role_id: lesser.role_id, version: 2, grant: ['people.dept.view'] }, lesser))).toEqual([422, '不能修改自己当前的角色'])
    expect(await desk.app.checksum()).toBe(before)
    expect((await desk.done(roleApi.saveMatrix, { role_id, version, grant: ['people.dept.view'], scopes: { dept: { kind: 'own' } } }, lesser)).granted).toEqual(['people.dept.view'])
  })

  test('two changes of one version: one of them is stale', async () => {
    const { role_id, version } = await desk.makeRole()
    const answers = await Promise.all(['people.dept.view', 'people.student.view'].map(code => desk.call(roleApi.saveMatrix, { role_id, version, grant: [code] })))
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
    expect(await codesOf(role_id)).toHaveLength(1)
  })
})

describe('a custom scope', () => {
  test('names departments of the school', async () => {
    const { role_id, version } = await desk.makeRole()
    const dept_id = await rootDept(school_id)
    await desk.done(roleApi.saveMatrix, { role_id, version, scopes: { dept: { kind: 'custom', ids: [dept_id] } } })
    const { scopes } = await desk.done(roleApi.matrix, { role_id })
    expect(scopes.dept).toEqual({ kind: 'custom', ids: [dept_id], names: ['测试一校'] })
    const foreign = await rootDept(test_schools.b)
    expect((await desk.call(roleApi.saveMatrix, { role_id, version: version + 1, scopes: { dept: { kind: 'custom', ids: [foreign] } } })).status).toBe(404)
  })
})

describe('a preview', () => {
  test('shows the sidebar and codes with a change that nobody has saved', async () => {
    const { role_id } = await desk.makeRole(['people.dept.view'])
    const before = await desk.app.checksum()
    const preview = await desk.done(roleApi.preview, { role_id, grant: ['people.student.edit'] })
    expect(preview.menu.flatMap(group => group.children).map(page => page.path)).toEqual(['/Dashboard', '/IconMenu', '/Organization', '/OrganizationTeacher', '/ParentsRecord'])
    expect([preview.codes, preview.granted]).toEqual([['people.dept.view', 'people.student.edit', 'people.student.view'], ['people.student.edit', 'people.student.view']])
    expect((await desk.done(roleApi.preview, { role_id, revoke: ['people.dept.view'] })).menu).toEqual([])
    expect(await desk.app.checksum()).toBe(before)
  })
})

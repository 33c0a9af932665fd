import { ensureUsers } from '@campus/identity/server'
import { memberApi, roleApi, sessionApi } from '@campus/identity/contract'
import { importApi } from '@campus/jobs/contract'
import { dictionaryApi, dictionaryEditApi } from '@campus/school/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataOf, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp, TestUser } from '../testing/index.ts'
import { importDesk } from './desk.ts'

const { a: school_id } = test_schools
const member_codes = ['identity.member.import', 'identity.member.view', 'identity.member.edit', 'identity.role.view', 'identity.role.edit', 'school.dict.view']
let app: TestApp
let admin: TestUser
let members: ReturnType<typeof importDesk>
let items: ReturnType<typeof importDesk>
let role: { role_id: string; name: string }
let strong: { name: string }

const people = [['T001', '王芳'], ['T002', '李强'], ['T003', '赵敏']] as const
const later = '2030-06-30'

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as({ school_id, codes: [...member_codes, 'school.dict.import', 'school.dict.edit'] })
  await app.running.database.tenant(school_id, db => ensureUsers(db, school_id, people.map(([user_no, user_name]) => ({ user_no, user_name, user_kind: 2 }))))
  members = importDesk(app, 'role_member', ['角色名称', '人员编号', '姓名', '任职部门', '开始日期', '结束日期', '备注'])
  items = importDesk(app, 'dictionary_item', ['字典类型', '代码', '名称', '顺序', '启用'])
  role = await makeRole('社团指导', ['school.dict.view'])
  const chief = await app.as({ school_id, codes: 'all' })
  strong = await makeRole('财务主管', ['identity.account.manage'], chief)
})
afterAll(() => app.close())

async function makeRole(name: string, grant: string[], { token }: TestUser = admin) {
  const groups = dataOf(sessionApi.roleGroups, await app.call(sessionApi.roleGroups, {}, { token })).list
  const role_group_id = groups.find(group => group.code === 'SYS003')?.role_group_id ?? ''
  const { role_id } = dataOf(roleApi.add, await app.call(roleApi.add, { name, role_group_id }, { token }))
  dataOf(roleApi.saveMatrix, await app.call(roleApi.saveMatrix, { role_id, version: 1, grant }, { token }))
  return { role_id, name }
}

async function held(state: 'current' | 'future' | 'ended' = 'current') {
  const { list } = dataOf(memberApi.list, await app.call(memberApi.list, { role_id: role.role_id, state }, { token: admin.token }))
  return list.map(({ user_no, member }) => [user_no, member?.valid_to ?? '长期', member?.source, member?.reason ?? ''])
}

const line = (no: string, name: string, more: { dept?: string; from?: string; to?: string; note?: string; role?: string } = {}) =>
  [more.role ?? role.name, no, name, more.dept ?? '', more.from ?? '', more.to ?? '', more.note ?? '']

describe('角色成员导入', () => {
  test('every wrong cell says what is wrong', async () => {
    const batch = await members.dryRun(admin, [
      line('T001', '王芳', { role: '没有的角色' }),
      line('T999', '无此人'),
      line('T002', '李刚'),
      line('T003', '赵敏', { dept: '没有/这个部门' }),
      line('T001', '王芳', { from: '2030-02-01', to: '2030-01-01' }),
      line('T001', '王芳', { to: '明年', dept: '另一个部门' }),
      line('T003', '赵敏', { role: strong.name }),
      line('T003', '赵敏', { from: '2020-01-01' }),
      ['', '', '', '', '', '', ''].with(6, '只有备注'),
    ])
    expect([batch.state, batch.rows_error]).toEqual(['parsed', 9])
    expect(await members.errors(admin, batch.batch_no)).toEqual({
      3: ['角色名称：角色不存在'],
      4: ['人员编号：人员不存在'],
      5: ['姓名：姓名与编号不一致'],
      6: ['任职部门：部门不存在'],
      7: ['结束日期：结束日期不能早于开始日期'],
      8: ['结束日期：格式不正确', '任职部门：部门不存在'],
      9: ['角色名称：不能授予自己没有的权限'],
      10: ['开始日期：开始日期不能早于今天'],
      11: ['角色名称：必填项不能为空', '人员编号：必填项不能为空', '姓名：必填项不能为空'],
    })
  })

  test('a person stands once under a role and department', async () => {
    const { batch_no } = await members.dryRun(admin, [line('T001', '王芳'), line('T001', '王芳', { to: later })])
    expect(await members.errors(admin, batch_no)).toEqual({ 3: ['人员编号：文件内重复（第4行）'], 4: ['人员编号：文件内重复（第3行）'] })
  })

  test('an applied sheet gives, changes and leaves; its undo ends what it made and restores what it changed', async () => {
    const first = await members.dryRun(admin, [line('T001', '王芳', { note: '每周三' }), line('T002', '李强', { to: later })])
    expect([first.rows_new, (await members.apply(admin, first.batch_no)).rows_applied]).toEqual([2, 2])
    expect(await held()).toEqual([['T001', '长期', 'import', '每周三'], ['T002', later, 'import', '']])

    const second = await members.dryRun(admin, [line('T001', '王芳', { to: '20300101' }), line('T002', '李强'), line('T003', '赵敏', { from: '2030-03-01' })])
    expect([second.rows_new, second.rows_change, second.rows_same]).toEqual([1, 1, 1])
    await members.apply(admin, second.batch_no)
    expect([await held(), await held('future')]).toEqual([
      [['T001', '2030-01-01', 'import', '每周三'], ['T002', later, 'import', '']],
      [['T003', '长期', 'import', '']],
    ])
    const undone = await members.undo(admin, second.batch_no)
    expect([undone.state, await held(), await held('future')]).toEqual(['undone', [['T001', '长期', 'import', '每周三'], ['T002', later, 'import', '']], []])

    const blocked = await members.undo(admin, first.batch_no)
    expect([blocked.state, blocked.rows_blocked]).toEqual(['applied', 1])
    expect((await members.undo(admin, first.batch_no, true)).state).toBe('undone')
    expect([(await held()).map(([no]) => no), (await held('ended')).map(([no]) => no)]).toEqual([['T001'], ['T002']])
  })

  test('who may not import members may not use the template, another one of the school neither sees the batch', async () => {
    const plain = await app.as({ school_id, codes: ['identity.member.view'] })
    expect((await app.call(importApi.template, { code: 'role_member' }, { token: plain.token })).status).toBe(403)
    const { batch_no } = await members.dryRun(admin, [line('T003', '赵敏')])
    const other = await app.as({ school_id, codes: member_codes })
    expect((await app.call(importApi.one, { batch_no }, { token: other.token })).status).toBe(404)
  })
})

describe('字典项导入', () => {
  const type = '班级荣誉'
  const lines = async () => dataOf(dictionaryEditApi.lines, await app.call(dictionaryEditApi.lines, { sc_code_type: 'HONOUR_CLASS' }, { token: admin.token })).list

  test('every wrong cell says what is wrong', async () => {
    const [standard] = await lines()
    const { batch_no } = await items.dryRun(admin, [
      ['没有的类型', '1', '甲', '', ''],
      ['性别', '9', '乙', '', ''],
      [type, '甲1', '丙', '', ''],
      [type, 'X1', standard?.name ?? '', '', ''],
      [type, 'X2', '丁', '一', '也许'],
    ])
    expect(await items.errors(admin, batch_no)).toEqual({
      3: ['字典类型：字典值不存在'],
      4: ['字典类型：标准字典不可修改'],
      5: ['代码：格式不正确'],
      6: ['名称：名称已存在'],
      7: ['顺序：格式不正确', '启用：字典值不存在'],
    })
  })

  test('an applied sheet adds and renames; its undo restores the words and puts the added ones out of use', async () => {
    const [standard] = await lines()
    const code = standard?.sc_code_item ?? ''
    const batch = await items.dryRun(admin, [[type, code, '星级班级', '', ''], [type, 'SX', '翰墨班级', '50', '是']])
    expect([batch.rows_new, batch.rows_change]).toEqual([1, 1])
    await items.apply(admin, batch.batch_no)
    expect((await lines()).filter(one => one.own).map(({ sc_code_item, name, enabled }) => [sc_code_item, name, enabled])).toEqual([[code, '星级班级', true], ['SX', '翰墨班级', true]])
    expect((await items.undo(admin, batch.batch_no)).state).toBe('undone')
    expect((await lines()).filter(one => one.own).map(({ sc_code_item, enabled }) => [sc_code_item, enabled])).toEqual([['SX', false]])
    const { list } = dataOf(dictionaryApi.item, await app.call(dictionaryApi.item, { sc_code_type: 'HONOUR_CLASS', sc_code_item: code }, { token: admin.token }))
    expect(list[0]?.name).toBe(standard?.name)
  })
})

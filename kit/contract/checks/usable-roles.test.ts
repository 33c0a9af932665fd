import { describe, expect, test } from 'vitest'
import { checkRoleChoice, roleStep, usable } from './index.ts'
import type { LoginEntry, RoleClient, RoleEntry } from './index.ts'

type Row = RoleEntry & { ended?: boolean; disabled?: boolean; suspended?: boolean }

const SCHOOL = 900001
const ENTERPRISE = 900002
const SECOND = 900003

const roles: Row[] = [
  role('head', {}),
  role('teacher2', { school_id: SECOND }),
  role('parent', { ac_role_group: { code: 'SYS003', name: '家长' } }),
  role('pupil', { ac_role_group: { code: 'SYS004', name: '学生' } }),
  role('guest', { ac_role_group: { code: 'SYS005', name: '访客' } }),
  role('courier', { code: 'SYS001_Expressman' }),
  role('worker', { school_id: ENTERPRISE, school_type: 2 }),
  role('worker_pupil', { school_id: ENTERPRISE, school_type: 2, ac_role_group: { code: 'SYS004', name: '学生' } }),
  role('phone_only', { allow_login_web: 1, allow_login_web_text: '请使用手机端登录' }),
  role('past', { ended: true }),
  role('off', { disabled: true }),
  role('halted', { suspended: true }),
]

describe('usable identities', () => {
  test.each<[string, LoginEntry, RoleClient, string[]]>([
    ['root', {}, 'web', ['head', 'teacher2', 'parent', 'phone_only']],
    ["a school's address keeps other schools", { school_id: SCHOOL, school_type: 1 }, 'web', ['head', 'teacher2', 'parent', 'phone_only']],
    ["an enterprise's address keeps exactly its own", { school_id: ENTERPRISE, school_type: 2 }, 'web', ['worker']],
    ["another enterprise's address keeps nothing", { school_id: 900009, school_type: 2 }, 'web', []],
    ['an enterprise id of unknown type is like the root', { school_id: ENTERPRISE }, 'web', ['head', 'teacher2', 'parent', 'phone_only']],
    ['the phone entry keeps all but the blocked', {}, 'mini',
      ['head', 'teacher2', 'parent', 'pupil', 'guest', 'courier', 'worker', 'worker_pupil']],
  ])('%s', (_, entry, client, ids) => {
    expect(usable(roles, entry, client).map((row) => row.id)).toEqual(ids)
  })

  test('blocked parents, pupils and couriers still enter by phone', () => {
    const blocked = roles.map((row) => ({ ...row, allow_login_web: 1 }))
    expect(usable(blocked, {}, 'mini').map((row) => row.id)).toEqual(['parent', 'pupil', 'guest', 'courier', 'worker_pupil'])
  })
})

describe('what follows', () => {
  const head = role('head', {})
  const second = role('teacher2', { school_id: SECOND })
  const third = role('teacher3', { school_id: SECOND })

  test('nothing usable', () => {
    expect(roleStep([], {})).toEqual({ kind: 'none', msg: '此账号无登录权限' })
  })
  test('one goes straight on', () => {
    expect(roleStep([head], {})).toEqual({ kind: 'one', entry: head })
  })
  test('several at the root keep their order, none is chosen', () => {
    expect(roleStep([head, second], {})).toEqual({ kind: 'choose', list: [head, second], preselected: null })
  })
  test("at a school's address its entries come first, a single one is preselected", () => {
    expect(roleStep([head, second], { school_id: SECOND, school_type: 1 })).toEqual({ kind: 'choose', list: [second, head], preselected: second })
    expect(roleStep([head, second, third], { school_id: SECOND, school_type: 1 }))
      .toEqual({ kind: 'choose', list: [second, third, head], preselected: null })
  })
  test('confirming needs a choice that this client allows', () => {
    expect(checkRoleChoice(null)).toBe('请选择角色')
    expect(checkRoleChoice(head)).toBeNull()
    expect(checkRoleChoice(role('x', { allow_login_web: 1 }))).toBe('您无法在当前客户端登陆，请联系管理人员。')
    expect(checkRoleChoice(role('x', { allow_login_web: 1, allow_login_web_text: '请使用手机端登录' }))).toBe('请使用手机端登录')
  })
})

function role(id: string, change: Partial<Row>): Row {
  return {
    id, code: 'SYS001_Teacher', name: id, user_id: '1', user_no: 'T1', user_dep: '1', school_id: SCHOOL, school_name: '启明实验学校',
    school_type: 1, school_logo: null, course_type: 1, sync_type: 0, dept_is_exact: 0, allow_login_web: 0, allow_login_web_text: null,
    ac_role_group: { code: 'SYS001', name: '教职工' }, ...change,
  }
}

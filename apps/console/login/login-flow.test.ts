import { describe, expect, test } from 'vitest'
import type { Answer } from './call.ts'
import { nextStep, roleGroupsOf } from './login-flow.ts'
import type { LoginReply, RoleEntry } from './wire.ts'

function entry(id: string, given: Partial<RoleEntry> = {}): RoleEntry {
  return {
    id, code: 'SYS001_Admin', name: '学校管理员', user_id: '10', user_no: 'T001', user_dep: '1', user_dep_name: null,
    school_id: 900001, school_name: '启明实验学校', school_type: 1, school_logo: null, course_type: 1, sync_type: 0, dept_is_exact: 0,
    allow_login_web: 0, allow_login_web_text: null, ac_role_group: { code: 'SYS001', name: '管理' }, ...given,
  }
}

function answered(...role_list: RoleEntry[]): Answer<LoginReply> {
  const person = { user_id: '10', user_no: 'T001', user_name: '王', user_photo: null }
  return { kind: 'ok', data: { token: 'ticket', ...person, role_actions: ['a'], role_list, multi_school_info: [] } }
}

function refused(code: number, given: Partial<Extract<Answer<LoginReply>, { kind: 'refused' }>> = {}): Answer<LoginReply> {
  return { kind: 'refused', status: 200, code, msg: '一句话', data: null, ...given }
}

const factory = entry('9', { school_id: 900002, school_type: 2 })
const other_school = entry('3', { school_id: 900003 })
const blocked = entry('4', { allow_login_web: 1, allow_login_web_text: '请使用手机端登录' })

describe('a right password', () => {
  test('goes straight on with one usable identity', () => {
    const step = nextStep(answered(entry('1')), {})
    expect(step).toMatchObject({ kind: 'enter', entry: { id: '1' }, offer: { ticket: 'ticket', role_actions: ['a'] } })
  })

  test('goes on with one identity even when it is blocked for web, since entering says why', () => {
    expect(nextStep(answered(blocked), {})).toMatchObject({ kind: 'enter', entry: { id: '4' } })
  })

  test('says 此账号无登录权限 when nothing usable is left', () => {
    const parent = entry('1', { ac_role_group: { code: 'SYS004', name: '家长' } })
    const courier = entry('2', { code: 'SYS001_Expressman' })
    for (const list of [[], [parent], [courier], [factory]]) {
      expect(nextStep(answered(...list), {})).toEqual({ kind: 'message', msg: '此账号无登录权限', forget_password: false })
    }
  })

  test('enters an enterprise only at its own address', () => {
    expect(nextStep(answered(factory, entry('1')), { school_id: 900002, school_type: 2 })).toMatchObject({ kind: 'enter', entry: { id: '9' } })
  })

  test('offers several identities, those of the address first and a single one preselected', () => {
    const step = nextStep(answered(other_school, entry('1')), { school_id: 900001, school_type: 1 })
    expect(step).toMatchObject({ kind: 'choose', preselected: { id: '1' }, offer: { identities: [{ id: '1' }, { id: '3' }] } })
  })

  test('never preselects an identity that is blocked for web', () => {
    const step = nextStep(answered(other_school, blocked), { school_id: 900001, school_type: 1 })
    expect(step).toMatchObject({ kind: 'choose', preselected: null })
  })
})

describe('a refusal', () => {
  test.each([6005, 6006])('%i asks for a new password with the ticket and the school of the answer', code => {
    const step = nextStep(refused(code, { data: { have_more_school: 900001, token: 'change' } }), {})
    expect(step).toEqual({ kind: 'password', code: 'change', school_id: 900001 })
  })

  test('6005 without a ticket is only a message', () => {
    expect(nextStep(refused(6005), {})).toMatchObject({ kind: 'message' })
  })

  test('a change without a school follows the rule of the installation', () => {
    const step = nextStep(refused(6005, { data: { have_more_school: null, token: 'change' } }), {})
    expect(step).toMatchObject({ kind: 'password', school_id: undefined })
  })

  test('6007 shows its sentence', () => {
    expect(nextStep(refused(6007), {})).toEqual({ kind: 'message', msg: '一句话', forget_password: false })
  })

  test('a dead remember token is forgotten', () => {
    const step = nextStep(refused(422, { status: 422, error_id: 'identity.rememberInvalid' }), {})
    expect(step).toMatchObject({ forget_password: true })
  })

  test('a lost call shows what was lost and forgets nothing', () => {
    expect(nextStep({ kind: 'lost', msg: '请求超时' }, {})).toEqual({ kind: 'message', msg: '请求超时', forget_password: false })
  })
})

test('role groups are listed once per school', () => {
  const list = [entry('1'), entry('2'), other_school, entry('5', { ac_role_group: { code: 'SYS002', name: '教职工' } })]
  expect(roleGroupsOf(list).map(group => `${group.school_id}/${group.code}`)).toEqual(['900001/SYS001', '900003/SYS001', '900001/SYS002'])
})

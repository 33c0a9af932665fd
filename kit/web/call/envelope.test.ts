import { describe, expect, test } from 'vitest'
import { jsonOf, judge } from './envelope.ts'

describe('an answer', () => {
  test.each([600, 0])('with code %i is a success', (code) => {
    expect(judge(200, { code, msg: '操作成功', data: { id: '1' } })).toEqual({ kind: 'ok', data: { id: '1' } })
  })

  test.each([
    [200, { code: 6007, msg: '账号存在漏洞，请联系超级管理员重置密码后登录。' }, '账号存在漏洞，请联系超级管理员重置密码后登录。'],
    [200, { code: 601 }, '系统异常，请稍后重试'],
    [200, null, '系统异常，请稍后重试'],
    [400, { code: 400, message: '请求内容有误，请检查后重试' }, '请求内容有误，请检查后重试'],
    [403, { code: 403, msg: '别的话' }, '无权限查看'],
    [403, { code: 403, msg: '需由另一位管理员复核', error_id: 'people.secondPerson' }, '需由另一位管理员复核'],
    [422, { code: 422, msg: '名称已存在' }, '名称已存在'],
    [429, { code: 429, msg: '请求过于频繁，请稍后再试' }, '请求过于频繁，请稍后再试'],
    [500, { code: 500, msg: 'SELECT failed' }, '系统异常，请稍后重试'],
    [502, null, '系统异常，请稍后重试'],
    [503, { code: 503, msg: '登录人数较多，请稍后再试' }, '登录人数较多，请稍后再试'],
    [504, { code: 600, data: {} }, '系统异常，请稍后重试'],
    [418, null, '系统异常，请稍后重试'],
  ])('%i %j says %s', (status, body, msg) => {
    expect(judge(status, body)).toMatchObject({ kind: 'refused', error: { status, msg } })
  })

  test.each([401, 406])('%i is a lost session, with the server’s words or ours', (status) => {
    expect(judge(status, { code: status, msg: '该账号已在别处登录' })).toMatchObject({ kind: 'signed_out', error: { msg: '该账号已在别处登录' } })
    expect(judge(status, null)).toMatchObject({ kind: 'signed_out', error: { msg: '登录已失效，请重新登录' } })
  })
})

test('a refusal carries code, error id, data and the sentences of its fields', () => {
  const data = { errors: [{ field: 'dept_name', msg: '不能包含特殊字符' }, { field: 'spoilt' }], ids: ['1'] }
  const verdict = judge(422, { code: 422, msg: '输入内容有误，请重新输入！', error_id: 'people.invalid', data })
  expect(verdict).toMatchObject({ error: { code: 422, error_id: 'people.invalid', data, errors: [{ field: 'dept_name', msg: '不能包含特殊字符' }] } })
})

test('a text that is no JSON is no envelope', () => {
  expect(jsonOf('<html>')).toBeNull()
})

import { expect, test } from 'vitest'
import { readAnswer } from './call.ts'

const body = (code: number, msg?: string) => JSON.stringify({ code, msg, data: { a: 1 } })

test.each([600, 0])('code %i is success', code => {
  expect(readAnswer(200, body(code))).toEqual({ kind: 'ok', data: { a: 1 } })
})

test.each([
  [200, body(6007, '账号存在漏洞'), 6007, '账号存在漏洞'],
  [422, body(422, '验证码错误或已过期'), 422, '验证码错误或已过期'],
  [429, body(429, '请求过于频繁，请稍后再试'), 429, '请求过于频繁，请稍后再试'],
  [503, body(503, '登录人数较多，请稍后再试'), 503, '登录人数较多，请稍后再试'],
  [403, body(403, '您无法在当前客户端登陆，请联系管理人员。'), 403, '您无法在当前客户端登陆，请联系管理人员。'],
  [403, '', 403, '无权限查看'],
  [500, body(500, 'stack'), 500, '系统异常，请稍后重试'],
  [502, '<html>', 502, '系统异常，请稍后重试'],
  [504, '', 504, '系统异常，请稍后重试'],
  [404, 'null', 404, '系统异常，请稍后重试'],
  [200, '<html>', 200, '系统异常，请稍后重试'],
  [200, body(1), 1, '系统异常，请稍后重试'],
  [401, body(600), 600, '系统异常，请稍后重试'],
])('status %i with %s says why', (status, text, code, msg) => {
  expect(readAnswer(status, text)).toMatchObject({ kind: 'refused', status, code, msg })
})

test('a refusal keeps its id and data for those who act on them', () => {
  const text = JSON.stringify({ code: 6005, msg: 'm', error_id: 'identity.passwordDefault', data: { token: 't' } })
  expect(readAnswer(200, text)).toMatchObject({ error_id: 'identity.passwordDefault', data: { token: 't' } })
})

import { describe, expect, test } from 'vitest'
import { autoLoginOf } from './auto-login.ts'
import { isBare, schoolIdOf } from './visit.ts'

test.each([
  ['/', undefined], ['/900001', 900001], ['/900001/', 900001], ['/0', undefined], ['/abc', undefined], ['/12a', undefined],
  ['/2147483647', 2_147_483_647], ['/2147483648', undefined], ['/99999999999', undefined], ['/1/2', undefined],
])('the school of %s', (pathname, school_id) => {
  expect(schoolIdOf(pathname)).toBe(school_id)
})

test.each([
  ['/', '', true], ['/', '?', true], ['/', '?a=1', false], ['/900001', '', false],
])('the filing notice at %s%s: %s', (pathname, search, is_bare) => {
  expect(isBare({ school_id: schoolIdOf(pathname), search })).toBe(is_bare)
})

describe('automatic sign-in', () => {
  test.each([
    ['?wxcode=w&state=s&auto_login=1', 'auth/cloud_auth/auto_login', { wxcode: 'w', state: 's', auto_login: '1' }],
    ['?appid=a&code=c', 'auth/weixiao_login/form/login', { appid: 'a', code: 'c' }],
    ['?code=c&type=t&token=k', 'auth/common_login/third/login', { code: 'c', type: 't', token: 'k' }],
    ['?code=c&school_id=900001', 'auth/common_login/form/login', { code: 'c', school_id: '900001' }],
  ])('%s', (search, path, body) => {
    expect(autoLoginOf(search)).toEqual({ path: `/web/${path}`, body })
  })

  test.each(['', '?code=c', '?wxcode=w&state=s', '?appid=&code=c', '?type=t&token=k', '?school_id=1'])('nothing for %j', search => {
    expect(autoLoginOf(search)).toBeNull()
  })
})

import { describe, expect, test } from 'vitest'
import { autoLoginOf } from './auto-login.ts'
import { isBare } from './bare-address.ts'
import { schoolIdOf } from './visit.ts'

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
    ['?auto_login=1&code=c&state=s&appid=ww1', 'auth/cloud_auth/auto_login', { wxcode: 'c', state: 's', auto_login: '1' }],
    ['?appid=a&wxcode=w&state=s', 'auth/weixiao_login/form/login', { appid: 'a', code: 'w', state: 's' }],
    ['?type=oidc&code=c&state=s&iss=https%3A%2F%2Fsso', 'auth/common_login/third/login', { code: 'c', type: 'oidc', token: 's' }],
    ['?appid=a&code=c', 'auth/weixiao_login/form/login', { appid: 'a', code: 'c' }],
    ['?code=c&type=t&token=k', 'auth/common_login/third/login', { code: 'c', type: 't', token: 'k' }],
    ['?code=c&school_id=900001', 'auth/common_login/form/login', { code: 'c', school_id: '900001' }],
  ])('%s', (search, path, body) => {
    expect(autoLoginOf(search)).toMatchObject({ path: `/web/${path}`, body })
  })

  test.each(['', '?code=c', '?wxcode=w&state=s', '?type=oidc&error=access_denied&state=s', '?appid=&code=c', '?type=t&token=k', '?school_id=1'])('nothing for %j', search => {
    expect(autoLoginOf(search)).toBeNull()
  })
})

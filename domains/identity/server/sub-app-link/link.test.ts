import { describe, expect, test } from 'vitest'
import { isSigned, makeLink, partnerProof, readLink } from './link.ts'
import type { LinkFacts } from './link.ts'

const facts: LinkFacts = { user_no: 'T0001', timestamp: 1_763_600_000_000, school_id: 900001, app: 'dorm', nonce: 'n0nce' }
const secret = 'a shared secret'
const queryOf = (url: string) => url.slice(url.indexOf('?') + 1)

describe.each(['hmac', 'md5'] as const)('a link signed by %s', mode => {
  const url = makeLink('https://dorm.example.cn/app/?from=campus', facts, mode, secret)

  test('goes to the partner’s address, keeps its parameters and carries 32 hex signs', () => {
    expect(url).toMatch(/^https:\/\/dorm\.example\.cn\/app\/\?from=campus&user_no=T0001&timestamp=1763600000000&school_id=900001&app=dorm&nonce=n0nce&sign=[0-9a-f]{32}$/)
    const link = readLink(queryOf(url))
    expect(link).toMatchObject(facts)
    expect(link && isSigned(link, mode, secret)).toBe(true)
  })

  test('10-A19 is spoilt by one changed byte anywhere', () => {
    const query = queryOf(url)
    for (let at = 0; at < query.length; at += 1) {
      const other = query[at] === '0' ? '1' : '0'
      const link = readLink(query.slice(0, at) + other + query.slice(at + 1))
      expect(link !== null && isSigned(link, mode, secret), `byte ${at} of ${query}`).toBe(false)
    }
  })

  test('is no link of another secret or of the other way of signing', () => {
    const link = readLink(queryOf(url))
    expect(link && isSigned(link, mode, `${secret}.`)).toBe(false)
    expect(link && isSigned(link, mode === 'md5' ? 'hmac' : 'md5', secret)).toBe(false)
  })
})

test('both ways of signing give known values', () => {
  const sign = (mode: 'hmac' | 'md5') => new URLSearchParams(queryOf(makeLink('/mini/dorm/', facts, mode, secret))).get('sign')
  expect([sign('hmac'), sign('md5')]).toEqual(['ea88d3a482826e6f2105e67b96fcba71', '3ce12579cbc4a111751c79de79016f33'])
  expect(partnerProof('00', secret)).not.toBe(partnerProof('01', secret))
})

test.each([
  ['nothing', ''],
  ['a parameter twice', 'user_no=1&user_no=2&timestamp=1763600000000&school_id=1&app=dorm&nonce=n&sign=00000000000000000000000000000000'],
  ['no nonce', 'user_no=1&timestamp=1763600000000&school_id=1&app=dorm&sign=00000000000000000000000000000000'],
  ['seconds for milliseconds', 'user_no=1&timestamp=1763600000&school_id=1&app=dorm&nonce=n&sign=00000000000000000000000000000000'],
  ['a long signature', 'user_no=1&timestamp=1763600000000&school_id=1&app=dorm&nonce=n&sign=0000000000000000000000000000000000'],
])('%s is no link', (_name, query) => {
  expect(readLink(query)).toBeNull()
})

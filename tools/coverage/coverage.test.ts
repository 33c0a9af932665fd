import { expect, test } from 'vitest'
import { domains } from '@apps/server/domains'
import { countAcceptance, countCalls, countRoutes, countStrings } from './count.ts'
import type { Item, Seen } from './count.ts'
import { documentOf, lostSince } from './document.ts'
import { numbersIn, parseSeen, readPages } from './evidence.ts'

const root = `${import.meta.dirname}/../..`
const there = (items: readonly Item[]) => items.filter(item => item.by !== '').map(item => item.name)
const without = (name: string) => domains.filter(domain => domain.name !== name)
const part = (items: readonly Item[]) => ({ title: 'Things', counted: 'things there', by: 'proof', items })
const answer = (text: string): Seen => ({ on: 'answer', text })
const page = (text: string): Seen => ({ on: 'page', text })

test('without a domain its routes and calls are gone from the count', () => {
  const pages = readPages(root)
  expect(there(countRoutes(domains, pages))).toContain('/ParentsRecord')
  expect(there(countRoutes(without('people'), pages))).not.toContain('/ParentsRecord')
  expect(there(countCalls(domains, 'named'))).toEqual(expect.arrayContaining(['GET captcha', 'getWebStuList', 'account/update_pwd_by_code']))
  expect(there(countCalls(without('people'), 'named'))).not.toContain('getWebStuList')
  expect(there(countCalls(without('identity'), 'named'))).not.toContain('GET captcha')
})

test('a route without a page is not built', () => {
  expect(there(countRoutes(domains, new Set()))).toEqual([])
})

test('a call of another method, a longer path or a fixed segment is another call', () => {
  const both = ['GET school/{id}/config', 'PUT supreme/school/{id}/config']
  expect(there(countCalls(domains, 'named'))).toEqual(expect.arrayContaining(both))
  const reading = domains.map(domain => ({ ...domain, routes: domain.routes.filter(({ call }) => call.method === 'GET') }))
  expect(there(countCalls(reading, 'named')).filter(name => both.includes(name))).toEqual(both.slice(0, 1))
  const only = domains.map(domain => ({ ...domain, routes: domain.routes.filter(route => route.call.paths.includes('/web/school/:id')) }))
  expect(there(countCalls(only, 'named'))).toEqual(['GET school/{id}'])
})

test('a sentence counts while an answer or a page shows it, and no longer', () => {
  const seen = [answer('无权限查看'), page('手机号格式不正确'), answer('手机号格式不正确')]
  expect(countStrings(seen).filter(item => item.by !== '').map(({ name, by }) => [name, by])).toEqual([['手机号格式不正确', 'answer, page'], ['无权限查看', 'answer']])
  expect(there(countStrings(seen.slice(1)))).toEqual(['手机号格式不正确'])
})

test.each([
  ['请输入10-64位大小写字母、数字和特殊符号的任意三种组合', 1],
  ['请输入十-64位大小写字母、数字和特殊符号的任意三种组合', 0],
  ['家长身份：此账号无登录权限', 0],
  ['此账号无登录权限', 1],
  ['重置密码', 0],
  ['重置', 1],
  ['删除成功！', 0],
])('%s: seen %d', (text, count) => {
  expect(there(countStrings([page(text)]))).toHaveLength(count)
})

test('two texts seen one after the other are never one sentence', () => {
  expect(there(countStrings([answer('未配置'), answer('功能模块')]))).toEqual([])
})

test('the page names what was lost and which count fell', () => {
  const before = documentOf([part(countStrings([answer('请求超时'), answer('操作成功')]))])
  expect(lostSince(before, [part(countStrings([answer('请求超时'), answer('操作成功'), answer('设置成功')]))])).toEqual([])
  const lost = lostSince(before, [part(countStrings([answer('请求超时')]))])
  expect(lost).toEqual(['things there: 1 of 58, the page says 2 of 58', expect.stringMatching(/^lost: S\d\d .*操作成功/)])
})

test('a claim written by hand is refused, in the count and in the rows; so is a shorter list', () => {
  const items = countStrings([answer('请求超时')])
  const honest = documentOf([part(items)])
  expect(lostSince(honest, [part(items)])).toEqual([])
  expect(lostSince(honest.replace('| things there | 1 |', '| things there | 2 |'), [part(items)])).toHaveLength(1)
  expect(lostSince(honest.replace('| · | S01 |', '| ✓ | S01 |'), [part(items)])).toHaveLength(1)
  expect(lostSince(honest, [part(items.slice(1))])).toHaveLength(1)
})

test('an acceptance number counts where a test is named after it, not where a comment mentions it', () => {
  const source = `
    // 10-A1 is elsewhere
    const tenant = <R>(work: () => R) => work()
    const text = '10-A2'
    describe('the lock (10-A4)', () => {
      test.each([1])('10-A32 %j', () => { expect('10-A3').toBe(1) })
      it(\`20-A7 \${text}\`, () => undefined)
      it('10-M3 waits for the morning', () => undefined)
      it('10-S9 is a rule and no acceptance number', () => undefined)
    })`
  const numbers = numbersIn(source)
  expect([...numbers].toSorted()).toEqual(['10-A32', '10-A4', '10-M3', '20-A7'])
  const items = countAcceptance(new Map([...numbers].map(number => [number, ['a.test.ts']])))
  expect(there(items)).toEqual(['10-A4', '10-A32', '10-M3', '20-A7'])
})

test('it counts on a limit of the bench too, but not on a line that is only reported', () => {
  const source = `
    atMost('page of 20 (10-A1)', page.ratio, 3, times, '10-A23')
    atLeast('good logins', good, people, String, "10-A24")
    reported('10-A25', '3 ms')`
  expect([...numbersIn(source)]).toEqual(['10-A23', '10-A24'])
})

test('a recording that is none is refused', () => {
  expect(parseSeen('{"on":"page","text":"查询"}\n')).toEqual([page('查询')])
  expect(() => parseSeen('{"on":"unit","text":"查询"}')).toThrow('No recording')
})

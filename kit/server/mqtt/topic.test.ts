import { expect, test } from 'vitest'
import { covers, topicPrefix } from './topic.ts'

const own = 'jdev/w-1-abc/down/#'

test.each([
  ['jdev/w-1-abc/down/#', true],
  ['jdev/w-1-abc/down/me', true],
  ['jdev/w-1-abc/down/+', true],
  ['jdev/w-1-abc/down', true],
  ['jdev/w-1-abc/#', false],
  ['jdev/w-1-abc/up/auth', false],
  ['jdev/w-1-abd/down/#', false],
  ['jdev/+/down/#', false],
  ['+/w-1-abc/down/#', false],
  ['jdev/#', false],
  ['#', false],
  ['$SYS/#', false],
  ['$share/x/jdev/w-1-abc/down/#', false],
  ['jdev/w-1-abc/down/a/b/c/d/e/f', false],
])('%s is asked for: %s', (asked, allowed) => {
  expect(covers(own, asked)).toBe(allowed)
})

test('a topic without wildcards covers itself alone', () => {
  expect(covers('jdev/w-1-abc/up/auth', 'jdev/w-1-abc/up/auth')).toBe(true)
  expect(covers('jdev/w-1-abc/up/auth', 'jdev/w-1-abc/up')).toBe(false)
  expect(covers('jdev/w-1-abc/up/auth', 'jdev/w-1-abc/up/auth/more')).toBe(false)
})

test('the prefix has no slashes at its ends', () => {
  expect([topicPrefix(''), topicPrefix('/prod/'), topicPrefix('a/b')]).toEqual(['jdev', 'prod', 'a/b'])
})

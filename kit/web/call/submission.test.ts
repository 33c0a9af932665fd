import { api, Done, get, post } from '@kit/contract'
import { expect, test } from 'vitest'
import { submissionEnded, submissionKey } from './submission.ts'

const thingApi = api('web', 'test.thing', {
  list: get('thing/list', { reply: Done, session: true }),
  find: post('thing/find', { reads: true, reply: Done, session: true }),
  add: post('thing', { reply: Done, session: true }),
  move: post('thing/move', { reply: Done, session: true }),
})

test('six clicks are one submission, while the first is on its way and right after its answer', () => {
  const key = submissionKey(thingApi.add, 'a', 0)
  expect(Array.from({ length: 5 }, () => submissionKey(thingApi.add, 'a', 60_000))).toEqual(Array.from({ length: 5 }, () => key))
  submissionEnded(thingApi.add, key, true, 60_000)
  expect(submissionKey(thingApi.add, 'a', 61_000)).toBe(key)
  submissionEnded(thingApi.add, key, true, 61_000)
  expect(submissionKey(thingApi.add, 'a', 61_600)).not.toBe(key)
})

test('other content, another try after a refusal and the next form are other submissions', () => {
  const key = submissionKey(thingApi.move, 'a', 0)
  const other = submissionKey(thingApi.move, 'b', 0)
  expect(other).not.toBe(key)
  expect(submissionKey(thingApi.move, 'a', 0)).not.toBe(key)
  const third = submissionKey(thingApi.move, 'c', 0)
  submissionEnded(thingApi.move, third, false, 10)
  expect(submissionKey(thingApi.move, 'c', 20)).not.toBe(third)
})

test('readings have no key', () => {
  expect([submissionKey(thingApi.list, ''), submissionKey(thingApi.find, '')]).toEqual([null, null])
})

import { expect, test } from 'vitest'
import { mayHaveLost, recordsPage } from './index.ts'

const lying = { recordId: '7', userId: '7001', type: '200', timeStamp: 1_795_000_000, result: 1, code: '/data/7.jpg', message: 'SCHEDULE_CLOSED', keyId: 'c70', extra: {} }
const page = (content: unknown[], code = '000000') => recordsPage({ re: '1', action: 'getRecords', code, message: '', data: { total: 9, content } })

test('31-A9 a store that is full to ten may have overwritten something', () => {
  expect([mayHaveLost(1989, 2000), mayHaveLost(1990, 2000)]).toEqual([false, true])
})

test('a page of records comes in the order in which they were made; its path is no card, and what is none is left out', () => {
  const read = page([{ ...lying, recordId: 8, result: 0, message: 'ALLOW', keyId: '' }, 'rubbish', lying])
  expect(read?.total).toBe(9)
  expect(read?.events.map(one => [one.seq, one.pass])).toEqual([
    ['7', { user_id: '7001', credential_id: 'c70', verify: 2, refusal: 'closed', reason: 'SCHEDULE_CLOSED' }],
    ['8', { user_id: '7001', verify: 2, state: 1, reason: 'ALLOW' }],
  ])
})

test('an answer that is none is no empty page', () => {
  expect([page([], '200000'), recordsPage({ re: '1', action: 'getRecords', code: '000000', message: '', data: [] })]).toEqual([undefined, undefined])
})

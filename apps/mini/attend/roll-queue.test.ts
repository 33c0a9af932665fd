import { expect, test } from 'vitest'
import { dropRoll, keepRoll, readRolls, saysTheSame, sendRolls } from './roll-queue.ts'
import type { KeptRoll, Sent } from './roll-queue.ts'

const roll = (lesson_day_id: string, more: Partial<KeptRoll> = {}): KeptRoll => ({
  lesson_day_id,
  title: '第1节 语文',
  class_name: '三年级1班',
  version: 0,
  rows: [{ user_id: '7', claim: 'present' }],
  confirm_all: false,
  taken_at: '2026-09-15T00:20:00.000Z',
  refusal: null,
  ...more,
})
const answering =
  (answers: Readonly<Record<string, Sent>>, asked: string[] = []) =>
  (one: KeptRoll): Promise<Sent> => {
    asked.push(one.lesson_day_id)
    return Promise.resolve(answers[one.lesson_day_id] ?? { kind: 'taken' })
  }

test('a roll is kept once a lesson, the last word counts; what was stored comes back, rubbish is an empty queue', () => {
  const queue = keepRoll(keepRoll(keepRoll([], roll('1')), roll('2')), roll('1', { version: 3 }))
  expect(queue.map(one => [one.lesson_day_id, one.version])).toEqual([
    ['2', 0],
    ['1', 3],
  ])
  expect(readRolls(JSON.stringify(queue))).toEqual(queue)
  for (const text of [null, '', '{', '"x"', '[1, null]']) expect(readRolls(text)).toEqual([])
  expect(dropRoll(queue, '2').map(one => one.lesson_day_id)).toEqual(['1'])
})

test('without a line everything waits in its order; nothing behind the first that gets no answer is tried', async () => {
  const asked: string[] = []
  const queue = [roll('1'), roll('2'), roll('3')]
  const after = await sendRolls(queue, answering({ 2: { kind: 'no_line' } }, asked))
  expect([after.queue.map(one => one.lesson_day_id), after.taken, asked]).toEqual([['2', '3'], 1, ['1', '2']])
})

test('a refused roll stays with its sentence and is not sent again; the others go on', async () => {
  const msg = '张伟已于08:20提交点名，请刷新后再提交'
  const after = await sendRolls([roll('1'), roll('2')], answering({ 1: { kind: 'refused', msg } }))
  expect([after.queue.map(one => [one.lesson_day_id, one.refusal]), after.taken]).toEqual([[['1', msg]], 1])
  const asked: string[] = []
  expect((await sendRolls(after.queue, answering({}, asked))).queue).toEqual(after.queue)
  expect(asked).toEqual([])
})

test('a saved roll that says the same is the same roll, one that differs in one pupil is another', () => {
  const rows = [
    { user_id: '7', claim: 'present' as const },
    { user_id: '8', claim: 'absent' as const },
  ]
  expect(saysTheSame({ rows }, rows.toReversed())).toBe(true)
  expect(saysTheSame({ rows }, [rows[0] ?? { user_id: '', claim: 'left' }, { user_id: '8', claim: 'late' }])).toBe(false)
  expect(saysTheSame({ rows }, rows.slice(1))).toBe(false)
})

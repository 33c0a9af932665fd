import type { WireLine } from '@campus/devices/contract'
import { expect, test } from 'vitest'
import { addLines, climb, ladderText, receiptsOf, titleOf } from './ladder.ts'

let made = 0
/** A message at so many milliseconds. */
function line(at_ms: number, more: Partial<WireLine>): WireLine {
  made += 1
  return { line_id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`, at: new Date(at_ms).toISOString(), way: 'down', kind: 'sync.rows', name: null, id: null, re: null, code: null, bytes: 10, rows: [], rows_more: 0, text: '{}', is_cut: false, ...more }
}

test('an answer says what it answers and how long it took; what was asked before anybody looked is an answer all the same', () => {
  const rungs = climb([
    line(1000, { id: 'a' }), line(1040, { way: 'up', kind: 'reply', id: 'b', re: 'a', code: 'ok' }), line(1100, { way: 'up', kind: 'reply', id: 'c', re: 'long ago' }),
    line(2000, { kind: 'insertUser', id: 's1' }), line(2300, { way: 'up', kind: 'insertUser', re: 's1', code: '000000' }), line(2400, { kind: 'access', re: 'r9' }), line(2500, { kind: 'cmd', name: 'restart', id: 'd' }), line(2600, { kind: 'newFeature', id: 'e' }),
  ])
  expect(rungs.map(rung => [titleOf(rung), rung.took_ms])).toEqual([['下发数据', null], ['下发数据的应答', 40], ['应答', null], ['下发人员', null], ['下发人员的应答', 300], ['通行记录的应答', null], ['命令：重启', null], ['newFeature', null]])
  expect(ladderText(rungs.slice(0, 2))).toBe('1970-01-01T00:00:01.000Z 服务器→设备 下发数据\n{}\n\n1970-01-01T00:00:01.040Z 设备→服务器 下发数据的应答 ok\n{}')
})

test('receipts are counted by what became of them; a refused row says why', () => {
  const row = { kind: 'person' as const, row_key: '7', text: null }
  expect(receiptsOf(line(0, { rows: [{ ...row, status: 'applied' }, { ...row, row_key: '8', status: 'applied' }, { ...row, row_key: '9', status: 'refused', text: '姓名不合法' }] }))).toEqual([
    { key: 'applied', text: '已生效 2', is_bad: false }, { key: 'refused', text: '被拒 1', is_bad: true }, { key: 'person 9', text: '人员 9：姓名不合法', is_bad: true },
  ])
})

test('what comes twice stands once, and the oldest goes', () => {
  const [a, b, c] = [line(1, {}), line(2, {}), line(3, {})]
  expect(addLines([a, b], [b, c], 2)).toEqual([b, c])
})

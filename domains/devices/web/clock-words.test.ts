import { expect, test } from 'vitest'
import { clockWords } from './clock-words.ts'

const now = Date.parse('2026-11-26T00:00:00Z')
const fast = { wrong_since: '2026-11-25T23:10:00Z', skew_ms: -137_000, asked_at: null, asked_times: 0, refusal: null, is_settable: true }

test.each([
  ['is told the time soon', {}, /时钟快137秒，自 .*起 平台会自动校时，暂时不用处理/u],
  ['was told it a moment ago', { asked_times: 1, asked_at: '2026-11-25T23:58:00Z' }, /已自动校时1次.*几分钟内可见结果/u],
  ['did not keep it', { asked_times: 1, asked_at: '2026-11-25T23:20:00Z' }, /时钟仍然不准，多半是时钟电池失效：请到现场检查或报修/u],
  ['did not take it', { asked_times: 3, asked_at: '2026-11-25T23:58:00Z', refusal: '时钟电池电压低' }, /已自动校时3次.*没有接受：时钟电池电压低。请到现场检查/u],
  ['goes by a server of its own', { is_settable: false }, /平台不改它的时钟：请在“配置”中检查校时服务器/u],
  ['is days behind', { skew_ms: 200_000_000 }, /时钟慢200000秒.*先放在一边等待核对/u],
])('a wrong clock that %s', (_what, facts, said) => {
  const { title, next_step } = clockWords({ ...fast, ...facts }, now)
  expect(`${title} ${next_step}`).toMatch(said)
})

import { expect, test } from 'vitest'
import { adoptionTold } from './adoption.words.ts'

const now = new Date('2026-11-26T05:00:00Z')
const begun = { step: 'mqtt', tries: 0, note: null, is_refused: false, secret_sealed: Buffer.from('x'), begun_at: now, done_at: null }
const there = { steps: ['mqtt', 'sys'] as const, is_online: true, is_paused: true, is_temporary: true, prior_until: new Date('2026-11-27T05:30:00Z'), judges_logins: true, now }

test.each([
  ['it is there', {}, {}, '正在设置并读回核对'],
  ['it is away', {}, { is_online: false }, '等设备连接后自动继续（登记码11月27日13:30失效）'],
  ['it has its secret and is on its way', { note: '新的接入密码已送达，等设备用它重新连接' }, { is_online: false }, '新的接入密码已送达，等设备用它重新连接（登记码11月27日13:30失效）'],
  ['the day is over', {}, { is_online: false, prior_until: now }, '登记码已失效，设备不能再连接：请在列表的“更多”中“更换接入密码”，并在设备上填写'],
  ['it refuses', { note: '设备拒绝：mqtt.addr取值不受支持', is_refused: true }, {}, '设备拒绝：mqtt.addr取值不受支持。请在设备上核对服务器地址后点“重试”；仍被拒绝时，请在列表的“更多”中“更换接入密码”，并在设备上填写（登记码11月27日13:30失效）'],
  ['a file says who may come in', { secret_sealed: null }, { judges_logins: false, prior_until: null }, '外部消息服务器按密码文件认证，不能自动更换：请在列表的“更多”中“更换接入密码”，并在设备上填写，再导出密码文件'],
])('what is said of the step that is next when %s', (_when, more, told, sentence) => {
  const { steps } = adoptionTold({ ...begun, ...more }, { ...there, ...told })
  expect(steps).toEqual([{ step: 'mqtt', state: 'is_refused' in more ? 'refused' : 'waiting', sentence }, { step: 'sys', state: 'waiting', sentence: null }])
})

test('a password waits for a device that is paused, and says so', () => {
  const { steps } = adoptionTold({ ...begun, step: 'base', secret_sealed: null }, { ...there, steps: ['base'], is_temporary: false, prior_until: null })
  expect(steps).toEqual([{ step: 'base', state: 'waiting', sentence: '设备已停用或暂停了下发，恢复后自动继续' }])
})

import { encodeMessage } from '@kit/terminal-protocol'
import { secret_settings } from '@kit/terminal-protocol/console'
import { expect, test } from 'vitest'
import { describeMessage } from './describe.ts'

const head = { id: '6f1c2d3e-0000-4000-8000-000000000001', seq: 1, epoch: 'e', ts: '2026-11-20T08:00:00.000+08:00' }
const said = (type: string, body: Record<string, unknown>, way: 'up' | 'down' = 'down', re?: string) => describeMessage({ driver: 'jdev', way, topic: 'jdev/D1/x', payload: encodeMessage({ ...head, ...(re === undefined ? {} : { re }) }, type, body) })
const vf105 = (topic: string, message: Record<string, unknown>, way: 'up' | 'down' = 'down') => describeMessage({ driver: 'vf105', way, topic: `jdev/V1/access_device/v2/${topic}`, payload: Buffer.from(JSON.stringify(message)) })

test('rows that go down and what became of them stand as such; a refused one says why', () => {
  const row = { k: 'person', key: '7', op: 'put', ver: 3, hash: '0123456789abcdef' }
  expect(said('sync.rows', { plan_id: '1', rows: [row, { ...row, k: 'credential', key: 'c9', op: 'delete' }] })).toMatchObject({ kind: 'sync.rows', id: head.id, re: null, code: null, rows: [{ kind: 'person', row_key: '7', status: 'put' }, { kind: 'credential', row_key: 'c9', status: 'delete' }], rows_more: 0 })
  const results = Array.from({ length: 23 }, (_, n) => ({ k: 'person', key: String(n), ver: 1, status: n === 0 ? 'refused' : 'applied', ...(n === 0 ? { code: 'name', text: '姓名不合法' } : {}) }))
  const told = said('reply', { code: 'ok', results }, 'up', 'asked')
  expect([told.re, told.code, told.rows.length, told.rows_more, told.rows[0]]).toEqual(['asked', 'ok', 20, 3, { kind: 'person', row_key: '0', status: 'refused', text: '姓名不合法' }])
})

test('a command is told by its name', () => {
  expect(said('cmd', { name: 'restart', args: { in_s: 3 } })).toMatchObject({ kind: 'cmd', name: 'restart', text: JSON.stringify({ args: { in_s: 3 } }, null, 2) })
})

test('an answer of a VF105 has the serial number of its question; an event its own; keys of its rows are told', () => {
  expect(vf105('cmd/V1/insertUser', { serialNo: 's1', uuid: 'V1', time: 1, data: [{ userId: '7', name: '林小满', permissionIds: [] }] })).toMatchObject({ kind: 'insertUser', id: 's1', re: null, rows: [{ kind: null, row_key: '7', status: 'put' }] })
  expect(vf105('cmd/V1/delKey', { serialNo: 's2', uuid: 'V1', time: 1, data: { keyIds: ['c9'], userIds: [] } }).rows).toEqual([{ kind: null, row_key: 'c9', status: 'delete', text: null }])
  expect(vf105('cmd/insertUser_reply', { serialNo: 's1', uuid: 'V1', code: '100000', message: '部分数据处理失败', data: [{ userId: '7', error: 'name格式错误' }] }, 'up')).toMatchObject({ kind: 'insertUser', id: null, re: 's1', code: '100000 部分数据处理失败', rows: [] })
  expect(vf105('event/access', { serialNo: '77', uuid: 'V1', time: 1, data: [] }, 'up')).toMatchObject({ kind: 'access', id: '77', re: null })
  expect(vf105('event/V1/access_reply', { serialNo: '77', uuid: 'V1', code: '000000' })).toMatchObject({ kind: 'access', id: null, re: '77', code: '000000' })
})

const secrets = ['林小满', 'N20260001', '三年级2班', '0A1B2C3D', 'hush-psk', 'hush-password', '/blob/once', 'data:image', '370200202005120027']
test.each([
  ['people and cards that go down', said('sync.rows', { plan_id: '1', rows: [{ k: 'person', key: '7', op: 'put', ver: 1, hash: 'h', body: { user_id: '7', name: '林小满', no: 'N20260001', dept: '三年级2班', kind: 1, permission_ids: ['P1'] } }, { k: 'credential', key: 'c9', op: 'put', ver: 1, hash: 'h', body: { id: '9', user_id: '7', kind: 'card', code: '0A1B2C3D' }, blob: { url: '/blob/once', sha256: 's', bytes: 1 } }] })],
  ['settings that go down', said('sync.rows', { plan_id: '1', rows: [{ k: 'config', key: 'network', op: 'put', ver: 1, hash: 'h', body: { group: 'network', values: Object.fromEntries(secret_settings.map(path => [path.slice(path.indexOf('.') + 1), 'hush-psk'])) } }] })],
  ['the secret that a terminal of ours is given', said('cmd', { name: 'config', args: { group: 'mqtt', values: { secret: 'hush-password' } } })],
  ['the passwords that a VF105 is given', vf105('cmd/V1/setConfig', { serialNo: 's1', data: { mqtt: { username: 'V1', password: 'hush-password' }, base: { password: 'hush-psk' } } })],
  ['people of a VF105', vf105('cmd/V1/insertUser', { serialNo: 's1', data: [{ userId: '7', name: '林小满', permissionIds: [], extra: { department: '三年级2班', employeeNo: 'N20260001', idCard: '370200202005120027' } }] })],
  ['a key of a VF105', vf105('cmd/V1/insertKey', { serialNo: 's1', data: [{ keyId: 'c9', userId: '7', type: 200, code: '0A1B2C3D' }] })],
  ['settings of a VF105', vf105('cmd/getConfig_reply', { serialNo: 's1', code: '000000', data: { net: { psk: 'hush-psk' }, mqtt: { password: 'hush-password' }, base: { password: 'hush-password' } } }, 'up')],
  ['a pass with a typed password and a picture', vf105('event/access', { serialNo: '1', data: [{ userId: '7', name: '林小满', type: 400, code: 'hush-password', extra: { image: 'data:image' } }] }, 'up')],
])('31-A14 of %s nothing is seen that is secret or somebody’s own', (_what, told) => {
  expect(secrets.filter(secret => JSON.stringify(told).includes(secret))).toEqual([])
})

test('a long message is cut, and what nobody can read is told as that', () => {
  const long = said('event', { items: Array.from({ length: 200 }, (_, seq) => ({ seq, type: 'pass' })) }, 'up')
  expect([long.text.length, long.is_cut]).toEqual([1200, true])
  expect(describeMessage({ driver: 'jdev', way: 'up', topic: 'x', payload: Buffer.from('no JSON') })).toMatchObject({ kind: 'unreadable', bytes: 7, text: '' })
})

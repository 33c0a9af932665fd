import { vf105Driver as driver } from '@kit/terminal-protocol/vf105'
import { expect, test } from 'vitest'
import { Lab, prefix, sn } from '../testing/lab.ts'
import { playVf105 } from '../testing/played.ts'
import { card, face, permission, person } from '../testing/rows.ts'
import { actions } from './commands.ts'

const jpg = face('9').photo
const user = { userId: '8', name: '人' }
const key = { keyId: 'k', userId: '7', type: '200', code: 'EE' }
const big = face('9', 512 * 1024 + 1).photo

function filled() {
  const played = playVf105()
  const lab = new Lab(driver, played)
  lab.sync([permission(), person('7'), card('70', '7', 'AB12'), face('7')])
  return { ...played, lab }
}

/** Chapter 31 §5.6, rows: the others of a batch are done. */
test.each([
  ['person not found', 'delUser', ['9']],
  ['person not found', 'modifyUser', [{ userId: '9', name: 'x' }]],
  ['person not found', 'insertKey', [{ ...key, userId: '9' }]],
  ['voucher not found', 'delKey', { keyIds: ['x'], userIds: [] }],
  ['voucher not found', 'modifyKey', [{ keyId: 'x', code: 'A' }]],
  ['user has no vouchers', 'delKey', { keyIds: [], userIds: ['9'] }],
  ['Duplicate vouchers', 'insertKey', [{ ...key, code: 'ab12' }]],
  ['user already has this biometric voucher', 'insertKey', [{ ...key, type: '300', code: jpg, extra: { faceType: '0' } }]],
  ['permission not found', 'delPermission', ['P9']],
  ['permission not found', 'modifyPermission', [{ permissionId: 'P9', time: { type: 0 } }]],
  ['permission not found', 'insertUser', [{ ...user, permissionIds: ['P9'] }]],
  ['name格式错误', 'insertUser', [{ userId: '8', name: '' }]],
  ['userId格式错误', 'insertUser', [{ userId: 'a/b', name: 'x' }]],
  ['userId格式错误', 'insertUser', [{ userId: 'a..b', name: 'x' }]],
  ['permissionIds必须是数组', 'insertUser', [{ ...user, permissionIds: 'P' }]],
  ['核验人员不能选择自己', 'insertUser', [{ ...user, extra: { dualVerify: { mode: 'specified', userIds: ['8'] } } }]],
  ['指定核验人员不能为空', 'insertUser', [{ ...user, extra: { dualVerify: { mode: 'specified', userIds: [] } } }]],
  ['code不能为空', 'insertKey', [{ ...key, code: '' }]],
  ['faceType只支持0或1', 'insertKey', [{ ...key, type: '300', extra: { faceType: '3' } }]],
  ['密码凭证必须是6位数字', 'insertKey', [{ ...key, type: '400', code: '12' }]],
  ['权限及time必须是对象', 'insertPermission', [{ permissionId: 'P1', time: 'x' }]],
  ['未检测到人脸', 'insertKey', [{ ...key, type: '300', code: face('9', 300, 'test:noface').photo, extra: { faceType: '0' } }]],
] as const)('a row is refused with %s (%s)', (errmsg, action, data) => {
  const reply = filled().lab.ask({ action, data, rows: [], is_read: true })
  expect(reply).toMatchObject({ code: '100000', message: '部分数据处理失败', data: [{ errmsg }] })
})

/** §5.6 and §5.2, whole batches: nothing is done. */
test.each([
  ['data必须是数组', 'insertUser', {}],
  ['批量数据不能超过100条', 'delUser', Array.from({ length: 101 }, (_, n) => String(n))],
  ['批量数据不能超过100条', 'delKey', { keyIds: Array.from({ length: 60 }, String), userIds: Array.from({ length: 60 }, String) }],
  ['base64人脸凭证一次只能下发一条', 'insertKey', [{ ...key, type: '300', code: jpg, extra: { faceType: '0' } }, key]],
  ['人脸图片只支持jpg格式', 'insertKey', [{ ...key, type: '300', code: 'AAAA', extra: { faceType: '0' } }]],
  ['人脸图片base64大小不能超过512KB', 'insertKey', [{ ...key, type: '300', code: big, extra: { faceType: '0' } }]],
  ['查询凭证必须指定type', 'getKey', { page: 0, size: 1, code: 'A' }],
  ['page必须是大于等于0的整数', 'getUser', { page: -1, size: 1 }],
  ['size必须是1到100之间的整数', 'getUser', { page: 0, size: 101 }],
  ['size必须是1到1000之间的整数', 'getRecords', { page: 0, size: 1001 }],
  ['删除通行记录必须提供条件或all=true', 'delRecords', {}],
  ['控制参数无效', 'control', 'x'],
  ['控制参数command必须是整数', 'control', { command: '1' }],
  ['指纹功能未启用', 'control', { command: 12, extra: { fingerprintAction: 0 } }],
  ['不支持的控制命令: 9', 'control', { command: 9 }],
] as const)('a batch is refused with %s (%s)', (message, action, data) => {
  const { lab, store } = filled()
  const before = [store.users.size, store.keys.size]
  expect(lab.ask({ action, data, rows: [], is_read: true })).toMatchObject({ code: '200000', message, data: [] })
  expect([store.users.size, store.keys.size]).toEqual(before)
})

test.each([
  ['消息内容不是有效JSON', '{'],
  ['消息内容必须是JSON对象', '[]'],
  ['serialNo必须是1到32位字符串', JSON.stringify({ serialNo: 'a'.repeat(33), uuid: sn })],
  ['serialNo必须是1到32位字符串', JSON.stringify({ serialNo: 1, uuid: sn })],
  ['uuid不能为空', JSON.stringify({ serialNo: '1' })],
  ['uuid与设备不匹配', JSON.stringify({ serialNo: '1', uuid: 'S2' })],
])('no command: %s', (message, text) => {
  const { device, lab } = filled()
  device.receive(`${prefix}/${sn}/access_device/v2/cmd/${sn}/getUser`, Buffer.from(text))
  expect(lab.said.at(-1)).toMatchObject({ kind: 'reply', reply: { code: '200000', message } })
})

test.each([
  [{ sys: { colour: 1 } }, '不支持的配置项: sys.colour'],
  [{ sys: { sn: 'x' } }, '配置项不可修改: sys.sn'],
  [{ face: { recheck: 'x' } }, 'face.recheck类型不正确'],
  [{ face: { recheck: 1.5 } }, 'face.recheck必须是整数'],
  [{ sys: { passwordLength: 5 } }, 'sys.passwordLength取值不受支持'],
  [{ face: { recheck: 0 } }, 'face.recheck不能小于1'],
  [{ access: { offlineAccessNum: 2001 } }, 'access.offlineAccessNum不能大于2000'],
  [{ mqtt: { addr: '' } }, 'mqtt.addr不能为空'],
  [{ net: { ip: '300.1.1.1' } }, 'net.ip不是有效IPv4地址'],
  [{ ntp: { timeZone: 'Mars/Base' } }, 'ntp.timeZone取值不受支持'],
  [{ mqtt: { addr: 'mqtt://10.0.0.1' } }, 'mqtt.addr取值不受支持'],
])('a setting is refused: %j', (data, fault) => {
  const [group = ''] = Object.keys(data)
  const reply = filled().lab.ask({ action: 'setConfig', data, rows: [], is_read: true })
  expect(reply).toMatchObject({ code: '100000', message: `部分配置处理失败: ${fault}` })
  expect(Object.keys(Object(reply?.data))).toEqual([group])
})

test('a credential that somebody holds is looked for by its code', () => {
  const { lab } = filled()
  lab.sync([person('8')])
  expect(lab.sync([card('80', '8', 'AB12')])).toMatchObject([{ status: 'conflict', ask: { action: 'getKey', data: { type: '200', code: 'AB12' } } }])
})

test('the answer to an event counts on its misspelt topic too', () => {
  const { device, store, lab } = filled()
  lab.acknowledges = false
  device.present('200', 'AB12')
  device.receive(`${prefix}/${sn}/access_device/v2/event${sn}/access_reply`, Buffer.from(JSON.stringify({ serialNo: '1', uuid: sn, code: '000000', time: 1 })))
  expect(store.records).toEqual([])
})

test.each([[true, 'ONLINE_ALLOW', 1], [false, 'VOUCHER_NOT_FOUND', 0]])('a code that the device does not know is asked for; allowed: %s', (allows, reason, opened) => {
  const { device, lab, store } = filled()
  Object.assign(store.config.mqtt ?? {}, { onlinecheck: 1 })
  lab.allows = allows
  device.present('103', 'visitor')
  expect(lab.events().map(({ pass }) => pass?.reason)).toEqual([reason])
  expect(device.counters.opened).toBe(opened)
})

test('31-A3 the device knows 25 commands and answers every one, whatever it is sent', () => {
  expect(actions).toHaveLength(25)
  for (const action of actions) expect(filled().lab.ask({ action, data: 7, rows: [], is_read: true })?.code).toMatch(/^(0|1|2|3)\d{5}$/)
})

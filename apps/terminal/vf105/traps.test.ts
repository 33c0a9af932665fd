import { types, vf105Driver as driver } from '@kit/terminal-protocol/vf105'
import { describe, expect, test } from 'vitest'
import { Lab, prefix, sn } from '../testing/lab.ts'
import { playVf105 } from '../testing/played.ts'
import { card, credential, face, gone, people, permission, permission_id, person } from '../testing/rows.ts'

const session = { client_id: sn, prefix }
const root = `${prefix}/${sn}/access_device/v2`
const kib = 1024

function start() {
  const played = playVf105()
  const lab = new Lab(driver, played)
  /** Whatever a platform might send. */
  const raw = (action: string, data?: unknown) => lab.ask({ action, ...(data === undefined ? {} : { data }), rows: [], is_read: true })
  return { ...played, lab, raw }
}

function filled() {
  const all = start()
  all.lab.sync([permission(), person('7'), card('70', '7', 'AB12')])
  return all
}

describe('31-A4 traps', () => {
  test('reply topics are shared: the prefix with the serial number makes them the device’s own', () => {
    const reply = { serialNo: '1', uuid: 'S2', code: '000000', time: 1, data: {} }
    expect(driver.decode('access_device/v2/cmd/getUser_reply', Buffer.from(JSON.stringify(reply)), session)).toMatchObject({ kind: 'bad', reason: 'topic' })
    expect(driver.decode(`${root}/cmd/getUser_reply`, Buffer.from(JSON.stringify(reply)), session)).toMatchObject({ kind: 'bad', reason: 'identity' })
  })

  test('31-A6 a serial that comes twice is done twice; no two commands of ours have the same', () => {
    const { lab, device } = start()
    const id = '11111111-2222-3333-4444-555555555555'
    for (const _ of [1, 2]) lab.ask({ action: 'control', data: { command: 1 }, rows: [], is_read: false }, id)
    expect(device.executed.get(id.replaceAll('-', ''))).toBe(2)
    expect(device.counters.opened).toBe(2)
    lab.sync([permission(), ...people(1000)])
    expect([...device.executed].filter(([, times]) => times > 1)).toHaveLength(1)
  })

  test('a serial has exactly 32 characters', () => {
    const { lab } = filled()
    for (const command of lab.sent) expect(driver.encode(command).serial).toMatch(/^[0-9a-f]{32}$/)
  })

  test('an unknown action is passed over in silence', () => {
    const { raw, lab } = start()
    const before = lab.said.length
    expect(raw('makeCoffee', [])).toBeUndefined()
    expect(lab.said).toHaveLength(before)
  })

  test('modifyUser takes rights away; we never send it', () => {
    const { raw, store } = filled()
    raw('modifyUser', [{ userId: '7', name: '学生7' }])
    expect(store.users.get('7')?.permissionIds).toEqual([])
    const { requests } = driver.plan([person('7', {}, 2), gone('credential', 'c70')], driver.limits('any'))
    expect(requests.map(one => one.action)).toEqual(['delKey', 'insertUser'])
  })

  test('31-A7 a face goes alone: one and a card are two commands, three are three', () => {
    const { lab, store, raw } = filled()
    const count = (rows: Parameters<typeof lab.sync>[0]) => driver.plan(rows, lab.limits).requests.length
    expect(count([face('7'), card('71', '7', 'CC')])).toBe(2)
    expect(count([face('7'), face('8'), face('9')])).toBe(3)
    expect(lab.sync([face('7')]).map(one => one.status)).toEqual(['applied'])
    const key = { keyId: 'x', userId: '7', type: '300', code: face('8').photo, extra: { faceType: '0' } }
    expect(raw('insertKey', [key, { keyId: 'y', userId: '7', type: '200', code: 'DD' }])).toMatchObject({ code: '200000', message: 'base64人脸凭证一次只能下发一条' })
    expect(store.keys.has('y')).toBe(false)
  })

  test('31-A7 512 KB are counted of the picture, not of its Base64: 512 go, 513 never', () => {
    const { lab, raw } = filled()
    expect(lab.sync([face('7', 512 * kib)]).map(one => one.status)).toEqual(['applied'])
    const before = lab.sent.length
    expect(lab.sync([face('7', 512 * kib + 1)])).toMatchObject([{ status: 'blocked', code: 'photo_size' }])
    expect(lab.sent).toHaveLength(before)
    expect(raw('insertKey', [{ keyId: 'f7', userId: '7', type: '300', code: face('7', 512 * kib + 1).photo, extra: { faceType: '0' } }])).toMatchObject({ code: '200000', message: '人脸图片base64大小不能超过512KB' })
  })

  test('a batch of 101 is refused whole; ours have 100', () => {
    const { lab, raw, store } = start()
    expect(raw('insertUser', people(101).map(({ key }) => ({ userId: key, name: key })))).toMatchObject({ code: '200000', message: '批量数据不能超过100条' })
    expect(store.users.size).toBe(0)
    expect(driver.plan(people(101), lab.limits).requests.map(one => one.rows.length)).toEqual([100, 1])
  })

  test('200000 means that nothing was done, 100000 that the others were', () => {
    const [one, two] = people(2)
    const request = { action: 'insertUser', rows: one && two ? [one, two] : [], is_read: false }
    const reply = { re: '1', action: 'insertUser', message: 'x' }
    expect(driver.settle(request, { ...reply, code: '200000', data: [] })).toMatchObject([{ status: 'retry', is_alone: true }, { status: 'retry', is_alone: true }])
    expect(driver.settle(request, { ...reply, code: '100000', data: [{ userId: '1001', errmsg: 'name格式错误' }] })).toMatchObject([{ status: 'applied' }, { status: 'refused', text: 'name格式错误' }])
    expect(driver.settle({ ...request, rows: request.rows.slice(0, 1) }, { ...reply, code: '200000', data: [] })).toMatchObject([{ status: 'refused', code: '200000' }])
    expect(driver.plan(request.rows.map(row => ({ ...row, is_alone: true })), driver.limits('any')).requests).toHaveLength(2)
  })

  test('31-A12 of five fields with a bad one four are set, and the bad one says why', () => {
    const { lab, store } = start()
    const values = { heart_en: 1, heart_time: 5, passwordLength: 4, faceImageRetention: 0, nfc: 1 }
    const [receipt] = lab.sync([{ k: 'config', key: 'sys', op: 'put', ver: 1, hash: 'a'.repeat(16), body: { group: 'sys', values } }])
    expect(receipt?.fields?.filter(field => field.is_applied)).toHaveLength(4)
    expect(receipt?.fields?.find(field => !field.is_applied)).toEqual({ field: 'sys.heart_time', is_applied: false, text: 'sys.heart_time不能小于30' })
    expect(store.config.sys).toMatchObject({ heart_en: 1, heart_time: 30, passwordLength: 4 })
  })

  test('alarms that nobody hears are lost; the fire is seen in the settings afterwards', () => {
    const { lab, device, raw } = start()
    lab.disconnect()
    device.fire()
    device.door(0)
    lab.connect()
    expect(lab.events('alarm')).toEqual([])
    expect(device.counters.alarms_lost).toBe(2)
    expect(raw('getConfig', ['access.fireStatus'])?.data).toEqual({ access: { fireStatus: 1 } })
  })

  test('31-A9 at the limit the oldest record is overwritten, read or not', () => {
    const { lab, device, store } = filled()
    lab.disconnect()
    for (let n = 0; n < 2100; n += 1) device.present(types.card, 'AB12')
    lab.connect()
    expect(store.lost).toBe(100)
    expect(lab.events().map(one => Number(one.seq))).toEqual(Array.from({ length: 2000 }, (_, n) => n + 101))
  })

  test('a record that nobody takes holds up the rest, later and later', () => {
    const { lab, device, clock } = filled()
    lab.acknowledges = false
    device.present(types.card, 'AB12')
    lab.disconnect()
    device.present(types.card, 'AB12')
    lab.connect()
    clock.pass(5000 + 4999)
    const before = lab.events().length
    clock.pass(1)
    expect(lab.events()).toHaveLength(before + 1)
    clock.pass(5000 + 9999)
    expect(lab.events()).toHaveLength(before + 1)
    clock.pass(1)
    expect(new Set(lab.events().map(one => one.seq))).toEqual(new Set(['1']))
    expect(lab.events()).toHaveLength(before + 2)
  })

  test('31-A10 a corrupt record is acknowledged among the dead letters', () => {
    const bytes = Buffer.from(JSON.stringify({ serialNo: '77', uuid: sn, time: 1, data: 'rubbish' }))
    const inbound = driver.decode(`${root}/event/access`, bytes, session)
    expect(inbound).toMatchObject({ kind: 'bad', reason: 'body' })
    const answer = driver.acknowledge(inbound, { id: 'a', seq: 1, epoch: 'e', at: '2026-11-23T00:00:00Z', ...session })
    expect([answer?.topic, answer?.serial]).toEqual([`${root}/event/${sn}/access_reply`, '77'])
  })

  test('in an access 0 is good, and it is an array of one', () => {
    const decode = (data: unknown) => driver.decode(`${root}/event/access`, Buffer.from(JSON.stringify({ serialNo: '1', uuid: sn, time: 1, data })), session)
    const said = { userId: '7', type: '200', timeStamp: 1_795_000_000, result: 0, name: 'x', code: 'AB12', error: 'ALLOW', extra: {} }
    expect(decode([said])).toMatchObject({ events: [{ pass: { state: 1 } }] })
    expect(decode([{ ...said, result: 1, error: 'SCHEDULE_CLOSED' }])).toMatchObject({ events: [{ pass: { refusal: 'closed' } }] })
    expect(decode([said, said])).toMatchObject({ kind: 'bad' })
    expect(decode(said)).toMatchObject({ kind: 'bad' })
  })

  test('it neither beats nor starts a clean session unless it is told to', () => {
    const { store, device, lab } = start()
    expect([store.number('sys', 'heart_en'), store.number('mqtt', 'cleanSession')]).toEqual([0, 0])
    device.beat()
    expect(lab.said.filter(one => one.kind === 'link')).toHaveLength(1)
    Object.assign(store.config.sys ?? {}, { heart_en: 1 })
    device.beat()
    expect(lab.said.at(-1)).toMatchObject({ kind: 'link', name: 'heartbeat' })
  })

  test('31-A14 a password that was typed and the network’s key leave nothing behind', () => {
    const { lab, device, store, raw } = filled()
    Object.assign(store.config.net ?? {}, { psk: 'netkey-1' })
    Object.assign(store.config.base ?? {}, { password: 'console-1' })
    lab.sync([credential('c72', { user_id: '7', kind: 'password', code: '918273' })])
    lab.disconnect()
    lab.connect()
    device.present(types.password, '918273')
    device.present(types.static_qr, 'qr-secret')
    expect(lab.events()).toHaveLength(2)
    expect(JSON.stringify(lab.said)).not.toMatch(/918273|qr-secret|netkey-1/)
    const config = raw('getConfig')
    expect(config?.data).toMatchObject({ net: { psk: 'netkey-1' }, base: { password: 'console-1' } })
    expect(JSON.stringify(config && driver.configOf(config))).not.toMatch(/netkey-1|console-1/)
  })

  test('pictures come back with getKey unless the device is told not to keep them', () => {
    const { lab, raw, store } = filled()
    lab.sync([face('7')])
    expect(JSON.stringify(raw('getKey', { page: 0, size: 2, type: '300' }))).toContain(face('7').photo)
    Object.assign(store.config.sys ?? {}, { faceImageRetention: 0 })
    expect(JSON.stringify(raw('getKey', { page: 0, size: 2, type: '300' }))).not.toContain(face('7').photo)
    expect(driver.readback('credential', { step: 5, page: 0 }, { ...lab.limits, keeps_pictures: true }).data).toMatchObject({ type: '300', size: 2 })
    expect(driver.compare(lab.read('credential'), [{ key: 'c70', hash: card('70', '7', 'AB12').hash }, { key: 'f7', hash: face('7').hash }])).toEqual([])
  })

  test('31-A13 another time zone restarts it, and the receipt is good', () => {
    const { lab, device, dropped, clock, store } = start()
    Object.assign(store.config.ntp ?? {}, { timeZone: 'Asia/Tokyo' })
    const row = { k: 'config', key: 'ntp', op: 'put', ver: 1, hash: 'a'.repeat(16), body: { group: 'ntp', values: { timeZone: 'Asia/Shanghai' } } } as const
    expect(lab.sync([row]).map(one => one.status)).toEqual(['applied'])
    expect([dropped, device.is_connected, device.counters.restarts]).toEqual([[3000], false, 1])
    clock.pass(3000)
    expect(lab.said.at(-1)).toMatchObject({ kind: 'link', name: 'connect' })
  })

  test('a permission that is deleted is taken from everybody: it goes last', () => {
    const { lab, store } = filled()
    expect(driver.plan([gone('permission', permission_id), person('7', { permission_ids: [] }, 2), gone('credential', 'c70')], lab.limits).requests.map(one => one.action)).toEqual(['delKey', 'insertUser', 'delPermission'])
    lab.sync([gone('permission', permission_id)])
    expect(store.users.get('7')?.permissionIds).toEqual([])
  })

  test('a person who is deleted leaves the permissions', () => {
    const { lab, store } = filled()
    lab.sync([gone('person', '7')])
    expect([store.users.size, store.keys.size, store.permissions.size]).toEqual([0, 0, 1])
  })

  test('types do not stand in for each other', () => {
    const { lab, device } = filled()
    device.present(types.id_card, 'AB12')
    device.present(types.card, 'ab12')
    expect(lab.events().map(({ pass }) => pass?.reason)).toEqual(['VOUCHER_NOT_FOUND', 'ALLOW'])
  })

  test('31-A16 a password of four digits never goes to a device that takes six', () => {
    const { lab, raw, store } = filled()
    const before = lab.sent.length
    const short = credential('c73', { user_id: '7', kind: 'password', code: '1234' })
    expect(lab.sync([short])).toMatchObject([{ status: 'blocked', code: 'password_length' }])
    expect(lab.sent).toHaveLength(before)
    expect(raw('insertKey', [{ keyId: 'k', userId: '7', type: '400', code: '1234' }])).toMatchObject({ code: '100000', data: [{ keyId: 'k', errmsg: '密码凭证必须是6位数字' }] })
    Object.assign(store.config.sys ?? {}, { passwordLength: 4 })
    expect(raw('insertKey', [{ keyId: 'k', userId: '7', type: '400', code: '1234' }])).toMatchObject({ code: '000000' })
    expect(driver.plan([short], { ...lab.limits, password_length: 4 }).blocked).toEqual([])
  })

  test('what took too long may be done: its rows are read before they are sent again', () => {
    const { lab, device, store } = filled()
    device.faults.slow = 1
    expect(lab.sync([person('8')])).toMatchObject([{ status: 'unknown', code: '100004' }])
    expect(store.users.has('8')).toBe(true)
    const last = lab.sent.at(-1)
    expect(last && driver.recheck(last).map(one => [one.action, one.data])).toEqual([['getUser', { page: 0, size: 1, userId: '8' }]])
  })
})

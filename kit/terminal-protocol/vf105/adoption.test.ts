import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { adoptionSteps, configFault, configQr, factory_console_password, factoryConfig, otherFields, redact, resolveHolder } from './index.ts'

const adoption = { addr: 'mqtt://10.0.0.9:1883', prefix: 'jdev', sn: 'S1', secret: 'own-secret', console_password: '73519', password_length: 6, keeps_strangers: false, uploads_pictures: false } as const

test('a device is adopted in five steps, each of which it takes; nothing of the factory’s opens it any more', () => {
  const steps = Object.values(adoptionSteps(adoption))
  expect(steps.map(step => Object.keys(Object(step.data)))).toEqual([['mqtt'], ['sys'], ['ntp'], ['base'], ['access']])
  const fields = steps.flatMap(step => Object.entries(Object(step.data)).flatMap(([group, values]) => Object.entries(Object(values)).map(([name, value]) => [`${group}.${name}`, value] as const)))
  expect(fields.flatMap(([key, value]) => configFault(key, value) ?? [])).toEqual([])
  expect(Object.fromEntries(fields)).toMatchObject({ 'mqtt.prefix': 'jdev/S1', 'mqtt.clientIdSuffix': 0, 'mqtt.cleanSession': 1, 'sys.heart_en': 1, 'sys.heart_time': 30, 'sys.faceImageRetention': 0, 'ntp.timeZone': 'Asia/Shanghai' })
  const factory = factoryConfig()
  for (const [key, group] of [['mqtt.password', 'mqtt'], ['base.password', 'base']] as const) expect(new Map(fields).get(key)).not.toBe(factory[group]?.password)
})

test('31-§5.7.1 the code for the device’s camera says where the school is, in the device’s short names, and is signed over all before the last two hyphens', () => {
  const text = configQr({ addr: 'mqtt://10.0.0.9:1883', username: 'S1', password: 'own--secret', prefix: 'jdev/S1' }, 'key-of-the-firmware')
  const at = text.lastIndexOf('--')
  expect(text.slice(0, at)).toBe('___VF102_CONFIG_V1.1.0___{addr="mqtt://10.0.0.9:1883",username="S1",mqttpassword="own--secret",prefix="jdev/S1"}')
  expect(text.slice(at + 2)).toBe(createHmac('md5', 'key-of-the-firmware').update(text.slice(0, at)).digest('base64'))
})

test('a step is read back from its reply: what the device has otherwise is named with its word, and an answer without the group says nothing', () => {
  const { sys, mqtt } = adoptionSteps(adoption)
  const held = { heart_en: 1, heart_time: 60, passwordLength: 6, faceImageRetention: 0, strangerImage: 0 }
  const reply = { re: '1', action: 'setConfig', code: '100000', message: '部分配置处理失败: sys.heart_time不能大于20', data: { sys: held } }
  expect(otherFields('sys', sys, reply)).toEqual([{ field: 'sys.heart_time', is_applied: false, text: 'sys.heart_time不能大于20' }])
  expect(otherFields('sys', sys, { ...reply, code: '000000', data: { sys: { ...held, heart_time: 30 } } })).toEqual([])
  expect([otherFields('sys', sys, { ...reply, code: '100004' }), otherFields('sys', sys, { ...reply, data: [] }), otherFields('sys', sys, { ...reply, data: {} })]).toEqual([undefined, undefined, undefined])
  // A password that is not told back is proven by coming in with it; one that is refused is refused.
  const told = { ...Object(Object(mqtt.data).mqtt), password: '***' }
  expect(otherFields('mqtt', mqtt, { ...reply, code: '000000', message: 'success', data: { mqtt: told } })).toEqual([])
  expect(otherFields('mqtt', mqtt, { ...reply, message: '部分配置处理失败: mqtt.password类型不正确', data: { mqtt: told } })).toMatchObject([{ field: 'mqtt.password' }])
  expect(factoryConfig().base?.password).toBe(factory_console_password)
})

test('31-A14 passwords, keys, codes and pictures are out of whatever is kept; a result code stays', () => {
  const kept = JSON.stringify(redact({ serialNo: '1', code: '000000', data: { mqtt: { password: 'hush1', addr: 'x' }, base: { password: 'hush2' }, net: { psk: 'hush3' }, content: [{ code: 'hush4', type: '400' }], faceBase64: 'hush5' } }))
  expect(kept).not.toContain('hush')
  expect(kept).toContain('"code":"000000"')
})

test.each([
  [{ content: [{ keyId: 'c1' }] }, { delete_key: 'c1' }],
  [{ content: [{ keyId: 'k-local' }] }, { foreign: 'k-local' }],
  [{ content: [] }, 'gone'],
])('who holds a credential that is taken: %j', (data, holder) => {
  expect(resolveHolder({ re: '1', action: 'getKey', code: '000000', message: '', data }, key => key.startsWith('c'))).toEqual(holder)
})

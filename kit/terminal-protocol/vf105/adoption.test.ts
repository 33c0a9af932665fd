import { expect, test } from 'vitest'
import { adoptionSteps, configFault, factoryConfig, redact, resolveHolder } from './index.ts'

const adoption = { addr: 'mqtt://10.0.0.9:1883', prefix: 'jdev', sn: 'S1', secret: 'own-secret', console_password: '73519', password_length: 6, keeps_strangers: false, uploads_pictures: false } as const

test('a device is adopted in five steps, each of which it takes; nothing of the factory’s opens it any more', () => {
  const steps = adoptionSteps(adoption)
  expect(steps.map(step => Object.keys(Object(step.data)))).toEqual([['mqtt'], ['sys'], ['ntp'], ['base'], ['access']])
  const fields = steps.flatMap(step => Object.entries(Object(step.data)).flatMap(([group, values]) => Object.entries(Object(values)).map(([name, value]) => [`${group}.${name}`, value] as const)))
  expect(fields.flatMap(([key, value]) => configFault(key, value) ?? [])).toEqual([])
  expect(new Map(fields).get('mqtt.prefix')).toBe('jdev/S1')
  const factory = factoryConfig()
  for (const [key, group] of [['mqtt.password', 'mqtt'], ['base.password', 'base']] as const) expect(new Map(fields).get(key)).not.toBe(factory[group]?.password)
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

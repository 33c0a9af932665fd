import { describe, expect, test } from 'vitest'
import { changedKeys, desiredOf } from './merge.ts'
import type { ConfigDevice, Declared, ProfileFact } from './merge.ts'

const device: ConfigDevice = { device_id: '7', model_code: 'VF105', above: ['1', '10', '100'] }
const known = new Set(['base.volume', 'net.psk', 'temp.fever_tenths'])
let made = 0
function profile(more: Partial<ProfileFact>): ProfileFact {
  made += 1
  return { profile_id: String(made), name: `方案${made}`, own_device_id: null, trial: null, canary_device_id: null, model_code: null, device_ids: [], place_ids: [], values: {}, versions: {}, ...more }
}
const volume = (value: number) => ({ values: { 'base.volume': value } })
const [school, model, far, near, named, own] = [
  profile(volume(1)), profile({ model_code: 'VF105', ...volume(2) }), profile({ place_ids: ['1'], ...volume(3) }), profile({ place_ids: ['10', '1'], ...volume(4) }), profile({ device_ids: ['7'], ...volume(5) }),
  profile({ own_device_id: '7', name: null, ...volume(6) }),
]

describe('the most specific source wins', () => {
  test.each([
    ['school', [school], 1, 'school'],
    ['model before school', [school, model], 2, 'model'],
    ['place before model', [model, far, school], 3, 'place'],
    ['the nearer place before the wider', [near, far], 4, 'place'],
    ['a device that is named before its place', [near, named], 5, 'device'],
    ['its own settings before everything', [own, named, near, school], 6, 'device'],
    ['of another model nothing', [school, profile({ model_code: 'JD-F10', place_ids: ['100'], ...volume(9) })], 1, 'school'],
    ['of another place nothing', [school, profile({ place_ids: ['11'], ...volume(9) })], 1, 'school'],
    ['at one place what names the model', [profile({ place_ids: ['10'], model_code: 'VF105', ...volume(8) }), near], 8, 'place'],
  ] as const)('%s', (_name, profiles, value, source) => {
    expect(desiredOf(device, profiles, [], known)['base.volume']).toMatchObject({ value, source })
    expect(desiredOf(device, profiles.toReversed(), [], known)['base.volume']).toMatchObject({ value, source })
  })
})

test('what the device does not know is left out, a secret is known by its version alone', () => {
  expect(desiredOf(device, [profile({ values: { 'face.similarity': 0.9 }, versions: { 'net.psk': 'v1' } })], [], known)).toEqual({ 'net.psk': expect.objectContaining({ value: null, version: 'v1' }) })
})

test('what another domain decides goes before what is set for everybody and after what is set for the place', () => {
  const fever: Declared[] = [{ source: 'health', key: 'temp.fever_tenths', place_id: null, value: 372 }, { source: 'health', key: 'temp.fever_tenths', place_id: '10', value: 375 }]
  const set = (more: Partial<ProfileFact>) => profile({ values: { 'temp.fever_tenths': 380 }, ...more })
  expect(desiredOf(device, [set({})], fever, known)['temp.fever_tenths']).toMatchObject({ value: 375, source: 'school', name: '健康管理' })
  expect(desiredOf(device, [set({ place_ids: ['1'] })], fever, known)['temp.fever_tenths']?.value).toBe(380)
})

test('a change that is on trial is at the canary alone', () => {
  const tried = profile({ ...volume(1), trial: { model_code: null, device_ids: [], place_ids: [], values: { 'base.volume': 9 }, versions: {} }, canary_device_id: '7' })
  expect(desiredOf(device, [tried], [], known)['base.volume']).toMatchObject({ value: 9, is_trial: true })
  expect(desiredOf({ ...device, device_id: '8' }, [tried], [], known)['base.volume']).toMatchObject({ value: 1 })
})

test('another source with the same value is no change, another secret is', () => {
  const psk = (version: string) => desiredOf(device, [profile({ versions: { 'net.psk': version } })], [], known)
  expect(changedKeys(desiredOf(device, [school], [], known), desiredOf(device, [profile({ place_ids: ['1'], ...volume(1) })], [], known))).toEqual([])
  expect(changedKeys(psk('v1'), psk('v2'))).toEqual(['net.psk'])
})

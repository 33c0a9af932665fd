import { describe, expect, test } from 'vitest'
import { settingFault } from '../console/index.ts'
import { configFault } from '../vf105/index.ts'
import { configKeys } from './keys.ts'
import type { ConfigKey, ConfigValue } from './keys.ts'
import { togetherFaults, valueFault } from './value.ts'

const vf105 = configKeys('vf105', '01')
const ofKey = (keys: readonly ConfigKey[], key: string) => keys.find(one => one.key === key)

describe('the settings of a kind of device', () => {
  test('have titles, and each of a VF105 is one that the device lets itself be told', () => {
    expect(vf105.length).toBeGreaterThan(35)
    for (const { key, initial, kind } of vf105) expect([key, kind === 'text' || kind === 'secret' || configFault(key, initial) === undefined]).toEqual([key, true])
  })

  test.each([['01', 'face.similarity', true], ['03', 'face.similarity', false], ['03', 'base.brightness', true], ['08', 'reader.truncation', true], ['15', 'sys.log_level', true], ['15', 'access.relayTime', false], ['03', 'base.language', true], ['01', 'base.language', true], ['12', 'net.mappings', false]])('of our own kind %s: %s %j', (device_type, key, is_there) => {
    expect(ofKey(configKeys('jdev', device_type), key) !== undefined).toBe(is_there)
  })

  test('what other hardware leaves to its manual has words for our own', () => {
    const stranger = (driver: string) => ofKey(configKeys(driver, '01'), 'face.stranger')
    expect(stranger('jdev')?.choices).toEqual([{ value: 0, label: '不提示' }, { value: 1, label: '屏幕提示' }, { value: 2, label: '屏幕和语音提示' }])
    expect([stranger('jdev')?.hint, stranger('vf105')?.hint]).toEqual([undefined, '各取值的含义见设备说明书'])
  })

  test('a terminal of ours takes at its console what it takes from the server', () => {
    const kinds = ['01', '03', '08', '12', '15', '21']
    expect(kinds.flatMap(kind => configKeys('jdev', kind)).filter(({ key, kind, initial }) => kind !== 'secret' && settingFault(key, initial) !== undefined && key !== 'mqtt.addr')).toEqual([])
  })

  test('hardware that is not configured from here has none', () => {
    expect(configKeys('camera', '06')).toEqual([])
  })

  test.each([['mqtt.addr', 'reconnect', true], ['net.psk', 'reconnect', true], ['ntp.timeZone', 'restart', false], ['access.verifyMode', 'restart', false], ['face.similarity', 'none', false]])('%s: %s, dangerous %j', (key, effect, is_dangerous) => {
    expect(ofKey(vf105, key)).toMatchObject({ effect, is_dangerous })
  })
})

describe('a value', () => {
  test.each([[373, undefined], [349, '发热阈值为35到42'], [373.5, '发热阈值最多1位小数']])('what is counted in tenths is told in whole units: %d, %s', (value, sentence) => {
    const setting = ofKey(configKeys('jdev', '01'), 'temp.fever_tenths')
    expect([setting?.unit, setting && valueFault(setting, value)]).toEqual(['℃', sentence])
  })

  const cases: [key: string, value: ConfigValue, sentence: string | undefined][] = [
    ['face.similarity', 0.6, undefined], ['face.similarity', 0.66, '相似度门槛最多1位小数'], ['face.similarity', 1.5, '相似度门槛为0到1'], ['face.recheck', 2.5, '同一人再次识别间隔为整数'], ['access.relayTime', 0, '开门时长为1到60'],
    ['base.screenOff', -1, '无操作熄屏不能小于0'], ['base.volume', 'x', '请填写音量'], ['net.type', 3, '请选择联网方式'], ['ntp.timeZone', 'Mars/Olympus', '请选择时区'], ['net.ip', '300.1.1.1', 'IP地址不合法'], ['net.ip', '', undefined],
    ['net.dns', '223.5.5.5,8.8.8.8', undefined], ['net.dns', '223.5.5', 'IP地址不合法'], ['mqtt.addr', '', '请填写消息服务器地址'], ['mqtt.addr', 'mqtt://10.0.0.5', '地址格式为 mqtt://主机:端口，IP地址必须带端口'], ['mqtt.addr', 'mqtt://10.0.0.5:70000', '地址格式为 mqtt://主机:端口，IP地址必须带端口'],
    ['mqtt.addr', 'mqtts://iot.school.cn', undefined], ['net.psk', '1234567', 'WiFi密码为8到63位'], ['net.psk', 'correct horse', undefined],
  ]
  test.each(cases)('%s = %j: %s', (key, value, sentence) => {
    const setting = ofKey(vf105, key)
    expect(setting && valueFault(setting, value)).toBe(sentence)
  })

  test.each(cases.filter(([, , sentence]) => sentence === undefined))('what passes here passes at the device: %s = %j', (key, value) => {
    expect(configFault(key, value)).toBeUndefined()
  })

  test('a fixed address needs mask and gateway, WiFi its name', () => {
    expect(togetherFaults({ 'net.dhcp': 1, 'net.ip': '10.0.0.9', 'net.type': 2 })).toEqual({ 'net.mask': '固定IP请填写子网掩码', 'net.gateway': '固定IP请填写网关', 'net.ssid': 'WiFi请填写名称' })
    expect(togetherFaults({ 'net.dhcp': 2 })).toEqual({})
  })
})

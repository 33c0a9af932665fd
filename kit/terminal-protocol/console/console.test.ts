import { expect, test } from 'vitest'
import { brokerAddress, brokerParts, firmwareFault, groupFaults, hostFault, isShutAt, loginFault, newPasswordFault, readPackage, settingFault } from './index.ts'

test.each([
  ['', 'password_empty', 'password_empty'], ['123456789', 'password_long', 'password_long'], ['123', undefined, 'password_digits'], ['12ab', undefined, 'password_digits'], ['１２３４', undefined, 'password_digits'],
  ['1234', undefined, undefined], ['12345678', undefined, undefined],
])('31-A22 password %j: at login %s, as a new one %s', (password, at_login, as_new) => {
  expect([loginFault(password), newPasswordFault(password)]).toEqual([at_login, as_new])
})

test.each([
  [['8080:80'], true], [['1:65535', '65535:1'], true], [[], true], [['80-8080'], false], [['0:80'], false], [['80:0'], false], [['70000:80'], false], [['80:70000'], false], [['65536:80'], false],
  [['80:8080', '80:8081'], false], [['80：8080'], false], [['80:8080 '], false], [['080:80'], false], [['80'], false], [['80:80:80'], false],
  [Array.from({ length: 10 }, (_, at) => `${at + 1}:80`), true], [Array.from({ length: 11 }, (_, at) => `${at + 1}:80`), false],
])('31-A22 port mappings %j are right: %s', (rows, is_right) => {
  expect(settingFault('net.mappings', rows)?.code).toBe(is_right ? undefined : 'mapping')
})

test.each([
  ['net.ip', '300.1.1.1', 'address'], ['net.ip', '192.168.1.20', undefined], ['net.gateway', '1.2.3', 'address'], ['net.mask', '255.255.255.0', undefined], ['net.mask', '255.0.255.0', 'address'], ['net.mask', '300.0.0.0', 'address'],
  ['net.dns', '114.114.114.114,8.8.8.8', undefined], ['net.dns', 'dns.example', 'address'],
  ['base.brightness', 0, undefined], ['base.brightness', 100, undefined], ['base.brightness', 101, 'range'], ['base.brightness', -1, 'range'], ['base.brightness', 1.5, 'integer'], ['base.brightness', '50', 'range'], ['base.brightness', null, 'range'],
  ['base.volume', 10, undefined], ['base.volume', 11, 'range'], ['access.relayTime', 0, 'range'], ['access.relayTime', 60, undefined], ['face.similarity', 0.65, undefined], ['face.similarity', 1.01, 'range'],
  ['face.recheck', 100, undefined], ['face.recheck', 101, 'range'], ['face.recognitionTimeout', 31, 'range'], ['face.livenessVal', 10, undefined], ['reader.truncation', '6', undefined], ['reader.truncation', '7', 'choice'],
  ['mqtt.addr', 'mqtt://10.0.0.5:1883', undefined], ['mqtt.addr', 'mqtt://300.1.1.1:1883', 'address'], ['mqtt.addr', 'mqtts://iot.school.cn', undefined], ['mqtt.addr', 'mqtt://x:70000', 'host'], ['mqtt.addr', 'http://x', 'host'], ['mqtt.addr', '', 'empty'],
  ['mqtt.keepAlive', 121, 'range'], ['mqtt.prefix', '', 'empty'], ['mqtt.prefix', 'a/#', 'text'], ['mqtt.prefix', 'a/b', undefined], ['mqtt.secret', 'x'.repeat(129), 'text'], ['nobody.knows', 1, 'unknown'],
  ['access.schedule', ['1 22:00-24:00'], undefined], ['access.schedule', ['8 22:00-24:00'], 'schedule'], ['access.schedule', ['1 22:00-21:00'], 'schedule'], ['access.schedule', ['1 25:00-26:00'], 'schedule'], ['access.schedule', 'x', 'malformed'],
])('31-A22 %s = %j: %s', (key, value, code) => {
  expect(settingFault(key, value)?.code).toBe(code)
})

test('a fixed address needs itself, a mask and a gateway; one from DHCP needs nothing', () => {
  expect(groupFaults('net', { dhcp: 1, ip: '192.168.1.20', mask: '255.255.255.0', gateway: '' })).toEqual([{ code: 'address', key: 'net.gateway' }])
  expect(groupFaults('net', { dhcp: 2, ip: '', mask: '', gateway: '' })).toEqual([])
})

test('a host is an address or a name; digits and dots are an address', () => {
  expect(['', '300.1.1.1', '10.0.0.1', 'mqtt.school.cn', '-x', 'a b', 'a..b'].map(hostFault)).toEqual(['empty', 'address', undefined, undefined, 'host', 'host', 'host'])
})

test('the address of a broker falls apart into what a form asks for, and comes together again', () => {
  expect(brokerParts('mqtts://iot.school.cn')).toEqual({ host: 'iot.school.cn', port: 8883, tls: true })
  expect(brokerAddress({ host: '10.0.0.5', port: 1883, tls: false })).toBe('mqtt://10.0.0.5:1883')
})

test('31-A22 firmware is jbn or jap by its name, and its first line must agree', () => {
  expect(['firmware.bin', 'a.jbn', 'a.JAP', 'jbn', 'a.jbn.zip'].map(firmwareFault)).toEqual(['firmware_name', undefined, undefined, 'firmware_name', 'firmware_name'])
  expect(readPackage('a.jbn', 'jbn 1.4.0\nrest')).toEqual({ kind: 'jbn', version: '1.4.0' })
  expect([readPackage('a.jap', 'jbn 1.4.0\n'), readPackage('a.jbn', 'PK'), readPackage('a.jbn', 'jbn x')]).toEqual([undefined, undefined, undefined])
})

test('the own schedule shuts the door half open, in the time of the school', () => {
  const rows = ['1 22:00-24:00', '2 00:00-06:00']
  const at = (text: string) => isShutAt(rows, new Date(text))
  expect([at('2026-11-23T21:59:59+08:00'), at('2026-11-23T22:00:00+08:00'), at('2026-11-24T05:59:00+08:00'), at('2026-11-24T06:00:00+08:00'), at('2026-11-25T22:30:00+08:00')]).toEqual([false, true, true, false, false])
})

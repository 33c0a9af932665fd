import { expect, test } from 'vitest'
import { waitingText } from './waiting.sentence.ts'

const device = (device_name: string, more: object = {}) => ({ device_name, online: false, is_paused: false, is_held: false, is_refused: false, ...more })

test.each([
  [[device('南门-1')], '等待 1 台设备上线：南门-1'],
  [[device('南门-1', { online: true })], '等待 1 台设备确认：南门-1'],
  [[1, 2, 3, 4].map(n => device(`南门-${n}`)), '等待 4 台设备上线：南门-1、南门-2、南门-3 等'],
  [[device('南门-1'), device('北门-1', { is_paused: true }), device('北门-2', { is_refused: true, online: true }), device('东门-1', { is_held: true, is_paused: true })], '1 台设备的批量变更待人工确认：东门-1；1 台设备拒绝：北门-2；1 台设备已停用或暂停下发：北门-1；等待 1 台设备上线：南门-1'],
  [[], ''],
])('20-A11 says how many devices have not confirmed, which, and what for: %j', (devices, text) => {
  expect(waitingText(devices)).toBe(text)
})

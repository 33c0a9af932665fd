import { expect, test } from 'vitest'
import { adviceOf } from './device-advice.ts'

const here = { device_state: '1', driver: 'jdev', offline_reason: null, confirming_since: null, fault_code: null, parent_name: null, is_planned_off: false, maintained_until: null } as const

test.each([
  ['is there', {}, /^$/u],
  ['is being upgraded', { device_state: '4' }, /^$/u],
  ['is retired', { device_state: null }, /^$/u],
  ['has lost its power', { device_state: '0', offline_reason: 'keepalive' }, /没有心跳.*检查电源、网线.*仍按设备上已有的名单/u],
  ['hangs below another one', { device_state: '0', driver: 'camera', offline_reason: 'parent', parent_name: '录像机1' }, /上级设备“录像机1”/u],
  ['waits for the broker', { device_state: '1', confirming_since: '2026-11-26T07:15:00Z' }, /正在确认.*不用处理/u],
  ['is being worked at', { device_state: '0', offline_reason: 'will', maintained_until: '2026-12-01T10:00:00.000Z' }, /正在维护.*离线不报警/u],
  ['is off by its rule', { device_state: '0', offline_reason: 'will', is_planned_off: true }, /按关机规则关机.*不用处理/u],
  ['is broken', { device_state: '2', fault_code: 'E12' }, /故障：E12.*报修/u],
  ['has never been there', { device_state: '5' }, /还没有连接过.*填写服务器地址、序列号和接入密码/u],
  ['has never been there and comes through another one', { device_state: '5', driver: 'gateway_child' }, /先登记并连接它的上级设备/u],
  ['is disabled', { device_state: '3' }, /已停用.*启用/u],
] as const)('a device that %s', (_what, facts, said) => {
  const advice = adviceOf({ ...here, ...facts })
  expect(advice === null ? '' : `${advice.title} ${advice.next_step}`).toMatch(said)
})

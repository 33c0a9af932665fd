import type { Device } from '@campus/devices/contract'

/** What is said of a device before anything else: how it is, and what to do. */
export type Advice = { type: 'info' | 'warning' | 'error'; title: string; next_step: string }
type Facts = Pick<Device, 'device_state' | 'driver' | 'offline_reason' | 'confirming_since' | 'fault_code' | 'parent_name'> & { is_planned_off: boolean; maintained_until: string | null }

const own_line = ['jdev', 'vf105']
const power = '请检查电源、网线和所接的交换机；设备屏幕亮着时，在设备上查看网络是否连通'
const lost: Readonly<Record<string, readonly [string, string]>> = {
  will: ['设备断开了连接', power],
  keepalive: ['设备没有心跳，可能断电或断网', power],
  kick: ['平台断开了它的连接', '如刚刚更换过接入密码，请在设备上填写新密码；否则请重启设备'],
  broker: ['消息服务中断', '请联系系统管理员恢复消息服务，设备会自动连接回来'],
}
/** What goes on without us, for whatever holds people or rules of its own. */
const meanwhile = '离线期间仍按设备上已有的名单和规则放行，记录存在设备上；恢复后，变更自动补发，记录自动补传。'

/** What somebody is told who opens a device that is not simply there; null when nothing is to be done (chapter 30 §2.2). */
export function adviceOf({ device_state, driver, offline_reason, confirming_since, fault_code, parent_name, is_planned_off, maintained_until }: Facts): Advice | null {
  const is_own = own_line.includes(driver)
  if (confirming_since !== null) return { type: 'info', title: '消息服务中断，正在确认设备是否还在线', next_step: '设备按已有的名单放行，一分半钟内会自动确认，暂时不用处理。' }
  if (is_planned_off) return { type: 'info', title: '按关机规则关机', next_step: '到规则的开机时间自动开机，不用处理；需要现在使用时，请在“关机规则”中调整。' }
  if (device_state === '2') return { type: 'error', title: fault_code === null || fault_code === 'child' ? '设备报告故障' : `设备报告故障：${fault_code}`, next_step: parent_name === null ? '请到现场查看并重启设备，重启后仍有故障请报修。' : `由上级设备“${parent_name}”报告。请到现场查看并重启设备，仍有故障请报修。` }
  if (device_state === '3') return { type: 'info', title: '设备已停用', next_step: '不再下发新增的人员和规则，删除照常下发。要恢复使用，请在列表的“更多”中启用。' }
  if (device_state === '5') return { type: 'warning', title: '设备还没有连接过，上面没有任何数据', next_step: is_own ? '请在设备上填写服务器地址、序列号和接入密码；接入密码忘记了可在列表的“更多”中更换。' : parent_name === null ? '此类设备由上级设备接入，请先登记并连接它的上级设备。' : `请确认上级设备“${parent_name}”在线，并在它上面添加了这台设备。` }
  if (device_state !== '0') return null
  if (maintained_until !== null) return { type: 'info', title: '正在维护', next_step: '维护期间离线不报警；到时间还没有恢复会报警。提前完成的，请在列表中选中设备，点“维护时段”结束。' }
  if (offline_reason === 'parent' || (!is_own && parent_name !== null)) return { type: 'warning', title: '设备离线', next_step: `它经上级设备“${parent_name ?? '—'}”连接，请先检查上级设备是否在线，再检查这台设备的电源和网线。` }
  const [title, step] = lost[offline_reason ?? ''] ?? ['设备离线', power]
  return { type: 'warning', title, next_step: `${step}。${is_own ? meanwhile : ''}` }
}

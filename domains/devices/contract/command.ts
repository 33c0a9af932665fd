import { api, get, Instant, page, PageQuery, post } from '@kit/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'

/** What a device can be told to do at once; doors go through the domain that knows who may pass (chapter 30 §4). */
export const command_names = {
  restart: '重启', time: '校时', beep: '鸣响', locate: '定位提示', capture: '抓拍', screenshot: '截屏', clear_fire: '解除消防状态', log: '上传日志', config: '调整设置', probe: '测定限额',
  open: '开门', hold_open: '保持常开', lock: '锁定', resume: '恢复', evacuate: '疏散常开', seal: '封闭',
} as const
/** How far a command is; 已送达设备 is not yet done (chapter 30 §2.4). */
export const command_states = { QUEUED: '待发送', SENT: '已发送', SUCCESSFUL: '已执行', FAILED: '执行失败', TIMEOUT: '设备没有答复', EXPIRED: '已过期，未执行' } as const

const Door = z.enum(['open', 'hold_open', 'lock', 'resume', 'evacuate', 'seal'])
/** What a door is told. */
export type DoorCommand = z.output<typeof Door>
const Name = z.enum(['restart', 'time', 'beep', 'locate', 'capture', 'screenshot', 'clear_fire', 'log', 'config', 'probe', ...Door.options])
/** What a person may say by its name alone; settings go with their value, the limits of a model are the operator's, and doors need a reason. */
const Plain = Name.exclude(['config', 'probe', ...Door.options])
export type PlainCommand = z.output<typeof Plain>
export type CommandName = z.output<typeof Name>
const State = z.enum(['QUEUED', 'SENT', 'SUCCESSFUL', 'FAILED', 'TIMEOUT', 'EXPIRED'])
export type CommandState = z.output<typeof State>
const CommandId = z.uuid()

/** One command and what became of it. */
export const DeviceCommand = z.object({
  command_id: CommandId,
  device_id: DeviceId,
  command: Name,
  state: State,
  asked_at: Instant,
  asked_by_name: z.string().nullable(),
  expires_at: Instant,
  sent_at: Instant.nullable(),
  replied_at: Instant.nullable(),
  reply_code: z.string().nullable(),
  reply_text: z.string().nullable(),
})
export type DeviceCommand = z.output<typeof DeviceCommand>

const view = { need: 'devices.device.view', within: 'place' } as const

/** Commands to devices (chapter 30 §4). Nothing is kept for a device that is not there. */
export const commandApi = api('iot', 'devices.command', {
  control: post('device/control', { body: z.strictObject({ device_id: DeviceId, command: Plain }), reply: DeviceCommand, op: 4, need: 'devices.device.control', within: 'place' }),
  read: get('device/command/:id', { params: z.object({ id: CommandId }), reply: DeviceCommand, ...view }),
  list: get('device/:id/commands', { params: z.object({ id: DeviceId }), query: PageQuery, reply: page(DeviceCommand), ...view }),
})

import { PlaceId } from '@campus/places/contract'
import { api, filter, post, sheet } from '@kit/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'
import { export_days } from './export-days.ts'

/** What happens to the line of a device. */
export const link_names = { online: '上线', offline: '离线', kicked: '顶替', refused: '拒绝' } as const
export type LinkKind = keyof typeof link_names

/** Why a line was lost, where its device or the broker has said so. */
const lost_reasons: Readonly<Record<string, string>> = { will: '连接中断', keepalive: '心跳超时', kick: '被服务器断开', broker: '消息服务中断', parent: '上级设备离线' }
const reasons: Readonly<Partial<Record<LinkKind, string>>> = { kicked: '被新的连接顶替', refused: '密码错误' }

/** Why a line turned, in words; null where there is nothing to say. */
export function linkReason(kind: LinkKind, reason: string | null): string | null {
  return (kind === 'offline' ? lost_reasons[reason ?? ''] : reasons[kind]) ?? null
}

/** How the lines of devices were: of those that stand in `place_id` and below it now, or of one. */
export const deviceLinkApi = api('iot', 'devices.link', {
  export: post('device/link/export', { body: z.strictObject({ ...export_days, place_id: filter(PlaceId), device_id: filter(DeviceId) }), reply: sheet, need: 'devices.device.export', within: 'place', op: 7 }),
})

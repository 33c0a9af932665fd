import { PlaceId } from '@campus/places/contract'
import { api, filter, get, Instant, page, PageQuery, post, QueryFlag } from '@kit/contract'
import { z } from 'zod'
import { DEVICE_TYPE } from './dictionary.ts'
import { most_devices } from './device.ts'
import { DeviceId } from './device-id.ts'
import { Reason } from './reason.ts'

/** The longest password of a device's own console (product spec §2). */
export const most_digits = 8

/** What became of the newest password of a device, in the words of the screens. */
export const password_states = { none: '未设置', waiting: '等待设备确认', applied: '已生效', refused: '设备拒绝' } as const

/** A device that has a console; `prior_valid`: it still goes by the password before, since it has not confirmed the newest one. */
export const PasswordLine = z.object({
  device_id: DeviceId,
  device_name: z.string(),
  device_type: z.enum(DEVICE_TYPE.codes),
  model_code: z.string(),
  node_path_name: z.string().nullable(),
  online: z.boolean(),
  version: z.number().int(),
  state: z.enum(['none', 'waiting', 'applied', 'refused']),
  prior_valid: z.boolean(),
  set_at: Instant.nullable(),
  set_by_name: z.string().nullable(),
  acked_at: Instant.nullable(),
  reason_text: z.string().nullable(),
})
export type PasswordLine = z.output<typeof PasswordLine>

/** Digits alone: an empty one would open the device to everybody. */
export const DevicePassword = z.string({ error: '请填写密码' }).min(1, { error: '密码不能为空' }).regex(/^\d+$/u, { error: '密码只能是数字' })
const Ids = z.array(DeviceId).min(1, { error: '请选择设备' }).max(most_devices, { error: `一次最多处理${most_devices}台设备` })
const reveal_op = 13

/** Passwords of devices (chapter 30 rule 26). A password is told only to who proves his own again and says why. */
export const passwordApi = api('iot', 'devices.secret', {
  list: get('device/password', { query: PageQuery.extend({ keyword: filter(z.string().trim().max(64)), device_type: filter(z.enum(DEVICE_TYPE.codes)), place_id: filter(PlaceId), stale: filter(QueryFlag) }), reply: page(PasswordLine), need: 'devices.secret.view', within: 'place' }),
  set: post('device/password', { body: z.strictObject({ device_ids: Ids, password: DevicePassword }), reply: z.object({ changed: z.number().int(), unchanged: z.number().int(), unsupported: z.number().int(), offline: z.number().int() }), op: 4, need: 'devices.secret.edit', within: 'place' }),
  reveal: post('device/password/reveal', { body: z.strictObject({ device_id: DeviceId, reason: Reason, recheck_token: z.string().min(1).max(200) }), reply: z.object({ password: z.string(), prior_password: z.string().nullable() }), op: reveal_op, tells_secret: true, need: 'devices.secret.edit', within: 'place' }),
})

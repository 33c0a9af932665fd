import { api, get, Instant, post, put } from '@kit/contract'
import { z } from 'zod'

/** Within what a school may set each of its numbers. */
export const setting_bounds = { offline_alert_minutes: [2, 1440], mass_delete_pct: [5, 90], mass_delete_min: [10, 1000], pass_keep_days: [180, 3650] } as const
/** What counts where a school has set nothing (chapter 30 §1.2). */
export const setting_defaults = { offline_alert_minutes: 10, mass_delete_pct: 30, mass_delete_min: 50, pass_keep_days: 400, foreign_policy: 'report', read_back_hour: 2, broker_notes: '' } as const
/** At which hours the nightly read-back may begin; it takes three hours, and is over before anybody comes. */
export const read_back_hours = [20, 21, 22, 23, 0, 1, 2, 3, 4] as const
export const read_back_span_hours = 3
/** What becomes of rows on a device that nobody here has put there, in the words of the screens. */
export const foreign_policies = { report: '只报告，由人决定保留或删除', delete_after_24h: '报告，24小时后自动从设备删除' } as const
const longest_notes = 500

const bounded = (key: keyof typeof setting_bounds, name: string, unit: string) => {
  const [least, most] = setting_bounds[key]
  const error = `${name}须为${least}至${most}${unit}的整数`
  return z.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}

/** What a school sets of all its devices. */
export const SchoolSetting = z.strictObject({
  /** a device of which nothing is heard for so many minutes is an alarm */
  offline_alert_minutes: bounded('offline_alert_minutes', '离线报警时间', '分钟'),
  /** a change that takes more than this share of its people from a device, and more than `mass_delete_min` of them, waits for a signature */
  mass_delete_pct: bounded('mass_delete_pct', '批量删除的占比', '%'),
  mass_delete_min: bounded('mass_delete_min', '批量删除的人数', '人'),
  /** for how many days passes are kept; whole months go */
  pass_keep_days: bounded('pass_keep_days', '通行记录保留', '天'),
  foreign_policy: z.enum(['report', 'delete_after_24h'], { error: '请选择外来数据的处理方式' }),
  /** the hour, at school, at which the nightly read-back begins */
  read_back_hour: z.union(read_back_hours.map(hour => z.literal(hour)), { error: '核对要3个小时，请选择20点至次日4点之间开始，避开上下学时间' }),
  /** of the message service, for whoever sets up devices */
  broker_notes: z.string({ error: '请填写文字' }).trim().max(longest_notes, { error: `备注不能超过${longest_notes}个字` }),
})
export type SchoolSetting = z.output<typeof SchoolSetting>

const Version = z.number({ error: '缺少版本号，请刷新后再试' }).int()
const Told = z.object({ setting: SchoolSetting, row_version: Version, updated_at: Instant.nullable() })
/** What saving a value would do here, in one sentence; nothing where it is as before. */
export const SettingEffect = z.object({ key: SchoolSetting.keyof(), text: z.string() })
export type SettingEffect = z.output<typeof SettingEffect>
const edit = { need: 'devices.setting.edit', within: 'school' } as const

/** What a school sets of its devices (chapter 30 §1.2). `row_version`: the one that was read; 0: nothing was ever set. */
export const schoolSettingApi = api('iot', 'devices.setting', {
  read: get('device/setting', { reply: Told, need: 'devices.setting.view', within: 'school' }),
  preview: post('device/setting/preview', { reads: true, body: SchoolSetting, reply: z.object({ list: z.array(SettingEffect) }), ...edit }),
  update: put('device/setting', { body: SchoolSetting.extend({ row_version: Version }), reply: Told, ...edit }),
})

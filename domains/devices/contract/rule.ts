import { PlaceId } from '@campus/places/contract'
import { api, del, filter, get, Instant, page, PageQuery, post, put, QueryFlag } from '@kit/contract'
import { checkNoSpecial, trimName } from '@kit/contract/checks'
import { z } from 'zod'
import { most_devices } from './device.ts'
import { DeviceId } from './device-id.ts'

/** Kinds of rules, dictionary RULE_KIND (chapter 30 §1.5). */
export const rule_kinds = { 1: '门禁规则', 2: '关机规则', 3: '休眠规则' } as const
/** How a door stands, in the words of the screens. */
export const door_mode_names = { normal: '正常', always_open: '常开', always_closed: '常闭' } as const
/** On which days a rule goes by which weekday: `workdays_with_make_up` rests on national holidays and follows the replaced weekday on make-up days. */
export const calendar_modes = { every_day: '每天按星期执行', workdays_with_make_up: '节假日不执行，调休上班日按所补星期执行' } as const
export const wake_names = { touch: '触摸', person: '有人靠近', card: '刷卡' } as const

const same_times = { error: '开始时间不能等于结束时间' }
const Clock = z.string({ error: '请选择时间' }).regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, { error: '时间格式为08:00' })
/** An end may be midnight; an end before its beginning is on the next day. */
const End = z.string({ error: '请选择时间' }).regex(/^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/, { error: '时间格式为08:00' })
/** Monday first. */
const Weekdays = z.array(z.boolean()).length(7).refine(days => days.some(Boolean), { error: '请选择星期' })
const between = (least: number, most: number, title: string) => z.number({ error: `请填写${title}` }).int({ error: `${title}为整数` }).min(least, { error: `${title}为${least}到${most}` }).max(most, { error: `${title}为${least}到${most}` })

const differs = <T extends { begin: string; end: string }>({ begin, end }: T) => begin !== end
const most_windows = 40
const DoorWindow = z.strictObject({ weekdays: Weekdays, begin: Clock, end: End, mode: z.enum(['normal', 'always_open', 'always_closed']), verify: z.array(z.number().int().min(1).max(7)).max(7).default([]) }).refine(differs, same_times)
export type DoorWindow = z.output<typeof DoorWindow>
/** Weekdays and a time of day. */
export const OffWindow = z.strictObject({ weekdays: Weekdays, begin: Clock, end: End }).refine(differs, same_times)
export type OffWindow = z.output<typeof OffWindow>
const windowsOf = <T extends z.ZodType>(window: T) => z.array(window).min(1, { error: '请至少设置一个时段' }).max(most_windows, { error: `最多${most_windows}个时段` })

/** A rule's own words by kind: `begin` of a close rule is when the device goes off, `end` when it is on again; on a day named in `stays_on` it does not go off. */
export const DoorBody = z.strictObject({ kind: z.literal(1), unlock_sec: between(1, 60, '开门时长'), held_open_sec: between(0, 600, '门开超时'), fire_opens: z.boolean(), windows: windowsOf(DoorWindow) })
export const CloseBody = z.strictObject({ kind: z.literal(2), windows: windowsOf(OffWindow), stays_on: z.array(z.iso.date()).max(60, { error: '最多60个例外日期' }).default([]) })
export const SleepBody = z.strictObject({ kind: z.literal(3), idle_minutes: between(0, 120, '无操作时长'), brightness: between(0, 100, '休眠亮度'), wake_on: z.enum(['touch', 'person', 'card']), windows: windowsOf(OffWindow) })
export const DeviceRuleBody = z.discriminatedUnion('kind', [DoorBody, CloseBody, SleepBody])
export type DeviceRuleBody = z.output<typeof DeviceRuleBody>
export type DoorBody = z.output<typeof DoorBody>
export type CloseBody = z.output<typeof CloseBody>
export type SleepBody = z.output<typeof SleepBody>

const RuleId = z.string().regex(/^\d{1,18}$/u)
const Version = z.number().int()
const RuleKind = z.coerce.number().pipe(z.union([z.literal(1), z.literal(2), z.literal(3)]))
const RuleName = z.string({ error: '请填写规则名称' }).overwrite(trimName).min(1, { error: '请填写规则名称' }).max(30, { error: '超过30个字' }).superRefine((text, context) => {
  const verdict = checkNoSpecial(text)
  if (verdict) context.addIssue({ code: 'custom', message: verdict })
})

/** Whom a rule is for: devices, and places with everything below. */
const Targets = { device_ids: z.array(DeviceId).max(most_devices, { error: `一次最多选择${most_devices}台设备` }).default([]), place_ids: z.array(PlaceId).max(100, { error: '最多选择100个场所' }).default([]) }
const Draft = z.strictObject({
  rule_name: RuleName,
  priority: between(1, 99, '优先级').default(50),
  body: DeviceRuleBody,
  valid_from: z.iso.date({ error: '请选择开始日期' }),
  valid_to: z.iso.date().nullable().default(null),
  calendar_mode: z.enum(['every_day', 'workdays_with_make_up']).default('every_day'),
  enabled: z.boolean().default(true),
  ...Targets,
})
/** These are told together with whatever else is wrong, so that nobody is refused twice. */
const aimed = z.object(Targets)
const dated = z.object({ valid_from: z.iso.date(), valid_to: z.iso.date().nullable() })
/** What a draft says about itself must agree. */
function whole<T extends z.ZodType<z.output<typeof Draft>>>(draft: T): T {
  return draft.refine(({ device_ids, place_ids }) => device_ids.length + place_ids.length > 0, { error: '请选择适用的设备或场所', path: ['place_ids'], when: ({ value }) => aimed.safeParse(value).success }).refine(({ valid_from, valid_to }) => valid_to === null || valid_to >= valid_from, { error: '结束日期不能早于开始日期', path: ['valid_to'], when: ({ value }) => dated.safeParse(value).success })
}
/** A rule as it is written down; its targets are named by device or place. */
export const DeviceRuleDraft = whole(Draft)
export type DeviceRuleDraft = z.output<typeof DeviceRuleDraft>

/** How it stands between a rule and one of its devices, in the words of the screens; only `applied` follows it now. */
export const follower_words = { applied: '已生效', waiting: '待下发', offline: '离线', paused: '已暂停下发', refused: '被拒绝', disabled: '设备已停用', pending: '未激活', unsupported: '不支持', gate: '校门通道，不会关机', off: '规则未启用' } as const
const FollowerState = z.enum(['applied', 'waiting', 'offline', 'paused', 'refused', 'disabled', 'pending', 'unsupported', 'gate', 'off'])
export type FollowerState = z.output<typeof FollowerState>
/** A device that a rule is for. */
export const RuleFollower = z.object({ device_id: DeviceId, device_name: z.string(), node_path_name: z.string().nullable(), state: FollowerState, sentence: z.string() })
export type RuleFollower = z.output<typeof RuleFollower>

const Named = z.object({ id: z.string(), name: z.string() })
/** A rule as it is told: `devices_wanted` of its devices are to follow it, `devices_applied` have said that they do, `devices_unsupported` never can; `devices_why`: how many of those that do not follow stand how. */
export const DeviceRule = z.object({
  rule_id: RuleId,
  rule_kind: RuleKind,
  rule_name: z.string(),
  priority: z.number(),
  body: DeviceRuleBody,
  valid_from: z.string(),
  valid_to: z.string().nullable(),
  calendar_mode: z.enum(['every_day', 'workdays_with_make_up']),
  enabled: z.boolean(),
  row_version: Version,
  devices: z.array(Named),
  places: z.array(Named),
  devices_wanted: z.number().int(),
  devices_applied: z.number().int(),
  devices_unsupported: z.number().int(),
  devices_why: z.array(z.object({ state: FollowerState, count: z.number().int() })),
})
export type DeviceRule = z.output<typeof DeviceRule>

/** How a day counts: a make-up day follows another weekday; after the last year whose holidays are known nobody can tell. */
export const CalendarDay = z.object({ date: z.string(), weekday: z.number().int(), kind: z.enum(['workday', 'weekend', 'holiday', 'make_up', 'unknown']), name: z.string().nullable(), follows_weekday: z.number().int().nullable() })
export type CalendarDay = z.output<typeof CalendarDay>
const Span = z.object({ from: z.string(), to: z.string(), mode: z.enum(['normal', 'always_open', 'always_closed', 'off', 'sleep']) })
/** A device in the preview: how it comes to follow the rule, or why it cannot. */
const PreviewDevice = z.object({ device_id: DeviceId, device_name: z.string(), node_path_name: z.string().nullable(), way: z.enum(['rule', 'permissions', 'unsupported', 'gate']), online: z.boolean() })
export type PreviewDevice = z.output<typeof PreviewDevice>
const Preview = z.object({ days: z.array(CalendarDay), times: z.array(z.object({ date: z.string(), windows: z.array(Span) })), devices: z.array(PreviewDevice), conflicts: z.array(z.object({ rule_id: RuleId, rule_name: z.string() })) })
export type RulePreview = z.output<typeof Preview>

/** What a device was told of its rules of a kind: by which rules, since when it goes by it (null: not yet), the week of the moment that is asked of, and what it does at it (null: no rule says anything). */
const Then = z.object({ rule_names: z.array(z.string()), told_at: Instant, applied_at: Instant.nullable(), days: z.array(z.object({ date: z.string(), windows: z.array(Span.extend({ verify: z.array(z.number().int()) })) })), now: Span.shape.mode.nullable() })
export type RuleThen = z.output<typeof Then>

const view = { need: 'devices.rule.view', within: 'place' } as const
const edit = { need: 'devices.rule.edit', within: 'place' } as const
const byId = z.object({ id: RuleId })
const Told = z.object({ rule: DeviceRule })

/** Rules of devices (chapter 30 §4). */
export const ruleApi = api('iot', 'devices.rule', {
  page: get('device_rule/page', { query: PageQuery.extend({ rule_kind: RuleKind, enabled: filter(QueryFlag), keyword: filter(z.string().trim().max(30)) }), reply: page(DeviceRule), ...view }),
  detail: get('device_rule/:id', { params: byId, reply: Told, ...view }),
  followers: get('device_rule/:id/devices', { params: byId, reply: z.object({ list: z.array(RuleFollower) }), ...view }),
  live_at: get('device/:id/rules', { params: z.object({ id: DeviceId }), query: z.object({ at: filter(Instant) }), reply: z.object({ at: Instant, since: Instant.nullable(), list: z.array(z.object({ rule_kind: RuleKind, live: Then.nullable(), promised: Then.nullable() })) }), ...view }),
  add: post('device_rule', { body: DeviceRuleDraft, reply: Told, ...edit }),
  update: put('device_rule/:id', { params: byId, body: whole(Draft.extend({ row_version: Version })), reply: Told, ...edit }),
  delete: del('device_rule/:id', { params: byId, reply: z.object({ devices: z.number().int() }), ...edit }),
  enable: post('device_rule/enable', { body: z.strictObject({ rule_id: RuleId, row_version: Version, enabled: z.boolean() }), reply: Told, op: 4, ...edit }),
  preview: post('device_rule/preview', { reads: true, body: Draft.extend({ rule_id: RuleId.optional() }), reply: Preview, ...edit }),
  sync: post('device/rule/sync', { body: z.strictObject({ device_ids: z.array(DeviceId).min(1, { error: '请选择设备' }).max(most_devices, { error: `一次最多处理${most_devices}台设备` }) }), reply: z.object({ list: z.array(z.object({ device_id: DeviceId, changed: z.number().int(), unchanged: z.number().int(), blocked: z.number().int(), offline: z.number().int() })) }), op: 11, ...edit }),
})

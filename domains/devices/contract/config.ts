import { PlaceId } from '@campus/places/contract'
import { api, del, filter, get, Instant, page, PageQuery, post, put } from '@kit/contract'
import { checkNoSpecial, trimName } from '@kit/contract/checks'
import { z } from 'zod'
import { most_devices } from './device.ts'
import { DeviceId } from './device-id.ts'
import type { row_states } from './sync.ts'

/** From where a setting of a device comes; the first in this order wins (chapter 30 §1.5). */
export const config_sources = { device: '设备', place: '场所', model: '型号', school: '学校' } as const
/** What a device does of itself when a setting has changed. */
export const config_effects = { none: '立即生效', reconnect: '重新连接', restart: '自动重启' } as const
/** How the trial of a dangerous change on one device went. */
export const trial_states = { waiting: '试点验证中', passed: '试点通过', failed: '试点失败，已回退' } as const
/** So long a canary device may take to come back with a dangerous setting (chapter 30 §5). */
export const trial_s = 120

const most_keys = 100
const Source = z.enum(['device', 'place', 'model', 'school'])
export type ConfigSource = z.output<typeof Source>
const Effect = z.enum(['none', 'reconnect', 'restart'])
const Key = z.string().regex(/^[a-z]{1,20}\.[A-Za-z_]{1,30}$/u)
const ConfigValue = z.union([z.number(), z.string().max(200, { error: '超过200个字' })])
export type ConfigValue = z.output<typeof ConfigValue>
const Values = z.record(Key, ConfigValue).refine(values => Object.keys(values).length <= most_keys, { error: `最多${most_keys}项设置` })

/** A setting that a kind of device takes. */
export const ConfigKey = z.object({
  key: Key,
  section: z.string(),
  title: z.string(),
  kind: z.enum(['number', 'choice', 'text', 'secret']),
  initial: ConfigValue,
  least: z.number().optional(),
  most: z.number().optional(),
  decimals: z.number().int().optional(),
  choices: z.array(z.object({ value: ConfigValue, label: z.string() })).optional(),
  is_needed: z.literal(true).optional(),
  unit: z.string().optional(),
  is_tenths: z.literal(true).optional(),
  hint: z.string().optional(),
  effect: Effect,
  is_dangerous: z.boolean(),
  is_declared: z.boolean(),
})
export type ConfigKey = z.output<typeof ConfigKey>

const ProfileId = z.string().regex(/^\d{1,18}$/u)
const Version = z.number().int()
const Named = z.object({ id: z.string(), name: z.string() })
/** The last trial of a dangerous change: on which device, how it went and, as long as it waits, until when. */
const Trial = z.object({ state: z.enum(['waiting', 'passed', 'failed']), text: z.string().nullable(), canary_name: z.string(), until: Instant.nullable(), /** what is tried, or was tried in vain */ values: Values.nullable() })
export type ConfigTrial = z.output<typeof Trial>

/** Settings for devices, places, a model or the school; of what is secret only the names are told. For `devices_wanted` it decides something, `devices_applied` of them have confirmed all of it. */
export const ConfigProfile = z.object({
  profile_id: ProfileId,
  profile_name: z.string(),
  model_code: z.string().nullable(),
  model_name: z.string().nullable(),
  values: Values,
  secret_keys: z.array(Key),
  devices: z.array(Named),
  places: z.array(Named),
  level: Source,
  devices_wanted: z.number().int(),
  devices_applied: z.number().int(),
  trial: Trial.nullable(),
  updated_at: Instant,
  updated_by_name: z.string().nullable(),
  row_version: Version,
})
export type ConfigProfile = z.output<typeof ConfigProfile>

const ProfileName = z.string({ error: '请填写方案名称' }).overwrite(trimName).min(1, { error: '请填写方案名称' }).max(30, { error: '超过30个字' }).superRefine((text, context) => {
  const verdict = checkNoSpecial(text)
  if (verdict) context.addIssue({ code: 'custom', message: verdict })
})
/** Secret settings: a new one, or `true` for the one that is there. */
const Secrets = z.record(Key, z.union([z.string().max(200), z.literal(true)]))
const settings = { values: Values.default({}), secrets: Secrets.default({}) }
/** A profile as it is written: without targets it is for its whole model, without a model too for the school. */
export const ConfigDraft = z.strictObject({
  profile_name: ProfileName,
  model_code: z.string().max(30).nullable().default(null),
  ...settings,
  device_ids: z.array(DeviceId).max(most_devices, { error: `一次最多选择${most_devices}台设备` }).default([]),
  place_ids: z.array(PlaceId).max(100, { error: '最多选择100个场所' }).default([]),
  /** the device on which a dangerous change is tried first */
  canary_device_id: DeviceId.optional(),
})
export type ConfigDraft = z.output<typeof ConfigDraft>

/** What a draft would change at a device. */
const PreviewDevice = z.object({ device_id: DeviceId, device_name: z.string(), node_path_name: z.string().nullable(), online: z.boolean(), titles: z.array(z.string()), keys: z.number().int(), effect: Effect })
export type ConfigPreviewDevice = z.output<typeof PreviewDevice>
/** `is_dangerous`: a wrong value may cost the connection, so that one of `canaries` has to try it first; `more`: devices that are not listed. */
const Preview = z.object({ devices: z.array(PreviewDevice), more: z.number().int(), is_dangerous: z.boolean(), canaries: z.array(Named) })
export type ConfigPreview = z.output<typeof Preview>

/** One setting of a device: what it is to have (of a secret: whether there is one), from where, what it says it has (null: not known), and what became of it. */
export const DeviceSetting = z.object({
  key: ConfigKey,
  desired: ConfigValue.nullable(),
  is_set: z.boolean(),
  own: ConfigValue.nullable(),
  source: Source.nullable(),
  source_name: z.string().nullable(),
  reported: ConfigValue.nullable(),
  is_same: z.boolean().nullable(),
  state: z.enum(['refused', 'blocked', 'unknown', 'sent', 'pending', 'applied', 'proven', 'gone']).nullable(),
  sentence: z.string().nullable(),
}) satisfies z.ZodType<{ state: keyof typeof row_states | null }>
export type DeviceSetting = z.output<typeof DeviceSetting>

const DeviceConfig = z.object({ device_id: DeviceId, device_name: z.string(), model_code: z.string(), online: z.boolean(), list: z.array(DeviceSetting), reported_at: Instant.nullable(), trial: Trial.nullable(), row_version: Version })
export type DeviceConfig = z.output<typeof DeviceConfig>

/** A setting that a device has otherwise than it is to have it, or has not taken. */
export const ConfigDiff = z.object({ diff_key: z.string(), device_id: DeviceId, device_name: z.string(), node_path_name: z.string().nullable(), online: z.boolean(), model_code: z.string(), setting: DeviceSetting })
export type ConfigDiff = z.output<typeof ConfigDiff>

const view = { need: 'devices.config.view', within: 'place' } as const
const edit = { need: 'devices.config.edit', within: 'place' } as const
const byDevice = z.object({ id: DeviceId })
const byProfile = z.object({ id: ProfileId })
const Told = z.object({ profile: ConfigProfile })

/** Settings of devices (chapter 30 §4). What is secret goes in and is never told. */
export const configApi = api('iot', 'devices.config', {
  keys: get('config_profile/keys', { query: z.object({ model_code: filter(z.string().max(30)) }), reply: z.object({ list: z.array(ConfigKey) }), ...view }),
  list: get('config_profile/list', { query: PageQuery.extend({ keyword: filter(z.string().trim().max(30)), model_code: filter(z.string().max(30)) }), reply: page(ConfigProfile), ...view }),
  targets: get('config_profile/:id/targets', { params: byProfile, query: PageQuery, reply: page(z.object({ device_id: DeviceId, device_name: z.string(), node_path_name: z.string().nullable(), online: z.boolean(), keys: z.number().int(), applied: z.number().int() })), ...view }),
  preview: post('config_profile/preview', { reads: true, body: ConfigDraft.extend({ profile_id: ProfileId.optional() }), reply: Preview, ...edit }),
  add: post('config_profile', { body: ConfigDraft, reply: Told, ...edit }),
  update: put('config_profile/:id', { params: byProfile, body: ConfigDraft.extend({ row_version: Version }), reply: Told, ...edit }),
  delete: del('config_profile/:id', { params: byProfile, reply: z.object({ devices: z.number().int() }), ...edit }),
  read: get('device/:id/config', { params: byDevice, reply: DeviceConfig, ...view }),
  write: put('device/:id/config', { params: byDevice, body: z.strictObject({ ...settings, row_version: Version }), reply: DeviceConfig, ...edit }),
  diff: get('device/config_diff', { query: PageQuery.extend({ place_id: filter(PlaceId), keyword: filter(z.string().trim().max(64)) }), reply: page(ConfigDiff), ...view }),
})

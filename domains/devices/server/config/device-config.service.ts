import { devicesErrors } from '@campus/devices/contract'
import type { configApi, ConfigDiff, DeviceConfig, DeviceSetting } from '@campus/devices/contract'
import { isInPlaces, placeScope } from '@campus/places/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { configKeys } from '@kit/terminal-protocol'
import type { ConfigKey } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import type { DevicesCtx } from '../db.ts'
import { lockDevice, requireDevice, requirePath } from '../device.service.ts'
import { tellRow } from '../state/row.sentence.ts'
import type { Desired } from './merge.ts'
import { toldTrial } from './profile.service.ts'
import { desiredAt, readProfiles, settingDevices } from './profile.queries.ts'
import type { SettingDevice } from './profile.queries.ts'
import { putSettings } from './put.ts'
import { requireValues } from './secrets.ts'

const Value = z.union([z.number(), z.string()])
const State = z.enum(['refused', 'blocked', 'unknown', 'sent', 'pending', 'applied', 'proven', 'gone'])
const Row = z.object({ device_id: z.string(), row_key: z.string(), want_op: z.enum(['put', 'delete']), state: State, reason_code: z.string().nullable(), reason_text: z.string().nullable(), attempts: z.number(), next_at: z.date(), acked_at: z.date().nullable(), proven_at: z.date().nullable(), is_push: z.boolean() })
type Row = z.output<typeof Row>
const Reported = z.object({ device_id: z.string(), reported: z.record(z.string(), Value).nullable(), reported_at: z.date().nullable() })
/** What is known of the settings of some devices. */
type Knowledge = { rows: readonly Row[]; said: ReadonlyMap<string, z.output<typeof Reported>> }

/** Every setting of a device: what it is to have, from where, what it says it has. @throws Refusal 404, 422 configNotFor */
export async function readConfig(ctx: DevicesCtx, { id }: Input<typeof configApi.read>): Promise<DeviceConfig> {
  await requireDevice(ctx, id)
  const found = await desiredAt(ctx.db, { school_id: ctx.school_id, device_id: id })
  if (!found) throw fail(devicesErrors.configNotFor)
  const { device, desired } = found
  const [own] = await readProfiles(ctx.db, ctx.school_id, { own_device_id: id })
  const known = await knowledgeOf(ctx, [id])
  const list = configKeys(device.driver, device.device_type).map(key => ({ ...settingOf(key, device, desired, known), own: own?.config_values[key.key] ?? null }))
  const { device_id, device_name, model_code, online } = device
  return { device_id, device_name, model_code, online, list, reported_at: known.said.get(id)?.reported_at?.toISOString() ?? null, trial: own ? toldTrial(own, device_name) : null, row_version: own?.row_version ?? 0 }
}

/** Settings of one device alone, before everything else. What may cost the connection is tried: it goes back by itself. @throws Refusal 404, 409 staleRow, configTrialRuns, configCanaryOffline, 422 configInvalid, configNotFor */
export async function writeConfig(ctx: DevicesCtx, { id, row_version, values, secrets }: Input<typeof configApi.write>): Promise<Reply<typeof configApi.write>> {
  const { db, school_id } = ctx
  const { device_name, device_type, model_code } = await lockDevice(ctx, id)
  const [before] = await readProfiles(db, school_id, { own_device_id: id, lock: true })
  if ((before?.row_version ?? 0) !== row_version) throw fail(devicesErrors.staleRow)
  if (before?.trial_state === 'waiting') throw fail(devicesErrors.configTrialRuns)
  await requireValues(ctx, { values, secrets, model_code }, before ?? null, device_type)
  const profile_id = before?.profile_id ?? (await db.insertInto('config_profile').values({ school_id, own_device_id: id, row_version: 0 }).returning('profile_id').executeTakeFirstOrThrow()).profile_id
  await putSettings(ctx, { profile_id, own_device_id: id, draft: { model_code: null, device_ids: [], place_ids: [], values, secrets }, before: before ?? null, canary_device_id: id, name: device_name })
  return readConfig(ctx, { id })
}

/** What devices have otherwise than they are to, or have not taken, device by device. */
export async function listDiffs(ctx: DevicesCtx, { place_id, keyword, page_index, page_size }: Input<typeof configApi.diff>): Promise<Reply<typeof configApi.diff>> {
  const scope = await placeScope(ctx)
  const below = place_id === undefined ? scope : [(await requirePath(ctx, place_id, scope)).node_path]
  const devices = (await settingDevices(ctx.db, ctx.school_id)).filter(device => (below === 'all' || (device.node_path !== null && isInPlaces(device.node_path, below))) && (keyword === undefined || device.device_name.includes(keyword)))
  const known = await knowledgeOf(ctx, devices.map(device => device.device_id))
  const told = await desiredOfAll(ctx, devices)
  const found = devices.flatMap((device): ConfigDiff[] => {
    const desired = told.get(device.device_id) ?? {}
    const { device_id, device_name, node_path_name, online, model_code } = device
    const settings = configKeys(device.driver, device.device_type).filter(key => desired[key.key]).map(key => settingOf(key, device, desired, known))
    return settings.filter(isOther).map(setting => ({ diff_key: `${device_id} ${setting.key.key}`, device_id, device_name, node_path_name, online, model_code, setting }))
  })
  return { list: found.slice((page_index - 1) * page_size, page_index * page_size), total: found.length }
}

const Told = z.record(z.string(), z.object({ value: Value.nullable(), version: z.string().optional(), source: z.enum(['device', 'place', 'model', 'school']), name: z.string().nullable(), profile_id: z.string().nullable(), is_trial: z.literal(true).optional() }))

async function desiredOfAll({ db, school_id }: DevicesCtx, devices: readonly SettingDevice[]): Promise<Map<string, Record<string, Desired>>> {
  const rows = await db.selectFrom('device_config').select(['device_id', 'desired']).where('school_id', '=', school_id).where(sql<boolean>`device_id = any(${devices.map(device => device.device_id)}::bigint[])`).execute()
  return new Map(rows.map(row => [row.device_id, Told.parse(row.desired)]))
}

async function knowledgeOf({ db, school_id }: DevicesCtx, device_ids: readonly string[]): Promise<Knowledge> {
  const { rows } = await sql`
    select r.device_id::text as device_id, r.row_key, r.want_op, r.state, r.reason_code, r.reason_text, r.attempts, r.next_at, r.acked_at, r.proven_at, d.is_push
    from sync_row r join device d on d.school_id = r.school_id and d.device_id = r.device_id
    where r.school_id = ${school_id} and r.device_id = any(${[...device_ids]}::bigint[]) and r.kind = 'config' and r.want_op = 'put'`.execute(db)
  const said = await db.selectFrom('device_config').select(['device_id', 'reported', 'reported_at']).where('school_id', '=', school_id).where(sql<boolean>`device_id = any(${[...device_ids]}::bigint[])`).execute()
  return { rows: z.array(Row).parse(rows), said: new Map(z.array(Reported).parse(said).map(one => [one.device_id, one])) }
}

function settingOf(key: ConfigKey, device: SettingDevice, desired: Readonly<Record<string, Desired>>, { rows, said }: Knowledge): Omit<DeviceSetting, 'own'> & { own: null } {
  const one = desired[key.key]
  const row = one && rows.find(found => found.device_id === device.device_id && found.row_key === key.key)
  const reported = said.get(device.device_id)?.reported?.[key.key] ?? null
  const is_same = !one || one.value === null || reported === null ? null : one.value === reported
  const { online, lifecycle } = device
  const sentence = row ? tellRow({ ...row, kind: 'config' }, { online, lifecycle, is_push: row.is_push }).sentence : null
  return { key, desired: one?.value ?? null, is_set: one !== undefined, own: null, source: one?.source ?? null, source_name: one?.name ?? null, reported, is_same, state: row?.state ?? null, sentence }
}

/** Not as it is to be: refused, not yet there, or another value than the one that was confirmed. */
function isOther({ is_same, state }: DeviceSetting): boolean {
  return is_same === false || (state !== 'applied' && state !== 'proven')
}

import { configKeys } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { desiredOf } from './merge.ts'
import type { ConfigDevice, Declared, Desired, ProfileDraft, ProfileFact } from './merge.ts'

type Of = { school_id: number; device_id: string }
const Value = z.union([z.number(), z.string()])
const Values = z.record(z.string(), Value)
const Versions = z.record(z.string(), z.string())
const Trial = z.object({ profile_name: z.string().nullable(), model_code: z.string().nullable(), device_ids: z.array(z.string()), place_ids: z.array(z.string()), values: Values, versions: Versions })
/** A profile as it becomes once its canary has come back with it. */
export type TrialDraft = z.output<typeof Trial>
const Row = z.object({
  profile_id: z.string(), profile_name: z.string().nullable(), model_code: z.string().nullable(), own_device_id: z.string().nullable(), config_values: Values, secret_versions: Versions, trial: Trial.nullable(), trial_state: z.enum(['waiting', 'passed', 'failed']).nullable(),
  trial_text: z.string().nullable(), canary_device_id: z.string().nullable(), trial_from: z.date().nullable(), trial_until: z.date().nullable(), updated_by: z.string().nullable(), updated_at: z.date(), row_version: z.number(),
})
type ProfileRow = z.output<typeof Row>
const Target = z.object({ profile_id: z.string(), device_id: z.string().nullable(), place_id: z.string().nullable(), name: z.string(), node_path: z.string().nullable() })
type ProfileTarget = z.output<typeof Target>
/** A profile with what it is for. */
export type WholeProfile = ProfileRow & { targets: ProfileTarget[] }

const columns = ['profile_id', 'profile_name', 'model_code', 'own_device_id', 'config_values', 'secret_versions', 'trial', 'trial_state', 'trial_text', 'canary_device_id', 'trial_from', 'trial_until', 'updated_by', 'updated_at', 'row_version'] as const

/** Every profile of a school, or some; those of single devices among them. */
export async function readProfiles(db: Db, school_id: number, which: { profile_id?: string; own_device_id?: string; lock?: true } = {}): Promise<WholeProfile[]> {
  const { profile_id, own_device_id, lock } = which
  const rows = await db
    .selectFrom('config_profile')
    .select([...columns])
    .where('school_id', '=', school_id)
    .$if(profile_id !== undefined, query => query.where('profile_id', '=', profile_id ?? ''))
    .$if(own_device_id !== undefined, query => query.where('own_device_id', '=', own_device_id ?? ''))
    .$if(lock !== undefined, query => query.forUpdate())
    .orderBy('profile_id')
    .execute()
  const targets = await readTargets(db, school_id)
  return z.array(Row).parse(rows).map(row => ({ ...row, targets: targets.filter(target => target.profile_id === row.profile_id) }))
}

async function readTargets(db: Db, school_id: number): Promise<ProfileTarget[]> {
  const { rows } = await sql`
    select t.profile_id::text as profile_id, t.device_id::text as device_id, t.place_id::text as place_id, coalesce(d.device_name, p.place_name, '已停用的场所') as name, coalesce(p.node_path, dp.node_path) as node_path
    from config_profile_target t
    left join device d on d.school_id = t.school_id and d.device_id = t.device_id
    left join place_live_v p on p.school_id = t.school_id and p.place_id = t.place_id
    left join device_place s on s.school_id = t.school_id and s.device_id = t.device_id and s.valid_to is null
    left join place_live_v dp on dp.school_id = s.school_id and dp.place_id = s.place_id
    where t.school_id = ${school_id} and t.valid_to is null order by t.id`.execute(db)
  return z.array(Target).parse(rows)
}

/** What a profile is for. */
function aimOf(targets: readonly ProfileTarget[]): { device_ids: string[]; place_ids: string[] } {
  return { device_ids: targets.flatMap(target => target.device_id ?? []), place_ids: targets.flatMap(target => target.place_id ?? []) }
}

/** A profile as settings are merged. */
export function factOf(profile: WholeProfile): ProfileFact {
  const { profile_id, profile_name, own_device_id, model_code, config_values, secret_versions, trial, trial_state, canary_device_id, targets } = profile
  return { profile_id, name: profile_name, own_device_id, model_code, ...aimOf(targets), values: config_values, versions: secret_versions, trial: trial_state === 'waiting' ? trial : null, canary_device_id }
}

/** What other domains have decided in a school. */
export async function readDeclared(db: Db, school_id: number): Promise<Declared[]> {
  const rows = await db.selectFrom('config_declared').select(['source', 'config_key', 'place_id', 'config_value']).where('school_id', '=', school_id).execute()
  return rows.map(row => ({ source: row.source, key: row.config_key, place_id: row.place_id === '0' ? null : row.place_id, value: Value.parse(row.config_value) }))
}

const Device = z.object({ device_id: z.string(), device_name: z.string(), device_type: z.string(), model_code: z.string(), driver: z.string(), lifecycle: z.string(), online: z.boolean(), node_path: z.string().nullable(), node_path_name: z.string().nullable() })
/** A device that takes settings, and where it stands. */
export type SettingDevice = z.output<typeof Device> & ConfigDevice

/** Devices that take settings: all of a school, or some. */
export async function settingDevices(db: Db, school_id: number, device_ids?: readonly string[]): Promise<SettingDevice[]> {
  const { rows } = await sql`
    select d.device_id::text as device_id, d.device_name, d.device_type, d.model_code, m.driver, d.lifecycle, d.online, p.node_path, p.node_path_name
    from device d join device_model m on m.model_code = d.model_code and m.driver in ('jdev', 'vf105')
    left join device_place s on s.school_id = d.school_id and s.device_id = d.device_id and s.valid_to is null
    left join place_live_v p on p.school_id = s.school_id and p.place_id = s.place_id
    where d.school_id = ${school_id} and d.lifecycle <> 'retired' and (${device_ids === undefined} or d.device_id = any(${[...(device_ids ?? [])]}::bigint[]))
    order by p.node_path_name nulls last, d.device_name, d.device_id`.execute(db)
  return z.array(Device).parse(rows).map(row => ({ ...row, above: (row.node_path ?? '').split('/').filter(Boolean) }))
}

/** The settings that a device takes, by name. */
export function knownKeys({ driver, device_type }: { driver: string; device_type: string }): ReadonlySet<string> {
  return new Set(configKeys(driver, device_type).map(one => one.key))
}

/** What a device is to have by everything that is written down; undefined when it takes no settings. */
export async function desiredAt(db: Db, { school_id, device_id }: Of): Promise<{ device: SettingDevice; desired: Record<string, Desired> } | undefined> {
  const [device] = await settingDevices(db, school_id, [device_id])
  if (!device) return undefined
  const profiles = await readProfiles(db, school_id)
  return { device, desired: desiredOf(device, profiles.map(factOf), await readDeclared(db, school_id), knownKeys(device)) }
}

/** A draft as it is tried on a canary. */
export function trialOf(profile_name: string | null, { model_code, device_ids, place_ids, values, versions }: ProfileDraft): TrialDraft {
  return { profile_name, model_code, device_ids: [...device_ids], place_ids: [...place_ids], values: { ...values }, versions: { ...versions } }
}

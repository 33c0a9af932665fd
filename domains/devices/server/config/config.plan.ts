import { configBody, configKeys } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { password_key } from '../password/password.queries.ts'
import { openSettings } from '../sealed-parts.ts'
import { writeRows } from '../sync/row.write.ts'
import type { Change } from '../sync/row.write.ts'
import { settingHash } from './merge.ts'
import type { Desired } from './merge.ts'
import { desiredAt } from './profile.queries.ts'
import type { SettingDevice } from './profile.queries.ts'

type Of = { school_id: number; device_id: string }
/** What may cost the connection goes early, everything else with the rules (chapter 30 rule 4). */
const prio = { dangerous: 3, usual: 8 } as const
const Told = z.record(z.string(), z.object({ value: z.union([z.number(), z.string()]).nullable(), version: z.string().optional(), source: z.enum(['device', 'place', 'model', 'school']), name: z.string().nullable(), profile_id: z.string().nullable(), is_trial: z.literal(true).optional() }))
const Known = z.object({ row_key: z.string(), want_op: z.string(), want_hash: z.string() })
const Secrets = z.record(z.string(), z.string())

/**
 * Brings what a device is told of its settings in line with profiles and declarations: a row for each, so that each has its own receipt. What is right already gets no new version. What nobody decides any more
 * is taken from our own terminals; other hardware keeps it. @returns how many rows are to be sent
 */
export async function followConfig(db: Db, of: Of, now: Date): Promise<number> {
  const found = await desiredAt(db, of)
  // Like everything else, settings are derived for who has connected once.
  if (!found || found.device.lifecycle === 'pending') return 0
  await writeDesired(db, of, found.desired)
  const changes = changesOf(found.device, found.desired, await knownRows(db, of))
  if (changes.length > 0) await writeRows(db, of, changes, now)
  return changes.filter(change => change.state === 'pending').length
}

function changesOf(device: SettingDevice, desired: Readonly<Record<string, Desired>>, known: readonly z.output<typeof Known>[]): Change[] {
  const before = new Map(known.map(row => [row.row_key, row]))
  const dangerous = new Set(configKeys(device.driver, device.device_type).filter(key => key.is_dangerous).map(key => key.key))
  const change = (row_key: string) => ({ kind: 'config', row_key, user_id: null, prio: dangerous.has(row_key) ? prio.dangerous : prio.usual, reason_code: null }) as const
  const puts = Object.entries(desired).flatMap(([key, one]): Change[] => {
    const want_hash = settingHash(key, one)
    const row = before.get(key)
    return row?.want_op === 'put' && row.want_hash === want_hash ? [] : [{ ...change(key), want_op: 'put', want_hash, state: 'pending' }]
  })
  const gone = known.filter(row => row.want_op === 'put' && desired[row.row_key] === undefined)
  return [...puts, ...gone.map((row): Change => ({ ...change(row.row_key), want_op: 'delete', want_hash: row.want_hash, state: device.driver === 'vf105' ? 'gone' : 'pending' }))]
}

async function knownRows(db: Db, { school_id, device_id }: Of): Promise<z.output<typeof Known>[]> {
  const rows = await db.selectFrom('sync_row').select(['row_key', 'want_op', 'want_hash']).where('school_id', '=', school_id).where('device_id', '=', device_id).where('kind', '=', 'config').where('row_key', '<>', password_key).execute()
  return z.array(Known).parse(rows)
}

async function writeDesired(db: Db, { school_id, device_id }: Of, desired: Readonly<Record<string, Desired>>): Promise<void> {
  const text = JSON.stringify(desired)
  await sql`
    insert into device_config (school_id, device_id, desired) values (${school_id}, ${device_id}, ${text}::jsonb)
    on conflict (school_id, device_id) do update set desired = excluded.desired where device_config.desired <> excluded.desired`.execute(db)
}

/** What a device is to have, as it was derived last. */
export async function readDesired(db: Db, { school_id, device_id }: Of): Promise<Record<string, Desired>> {
  const row = await db.selectFrom('device_config').select('desired').where('school_id', '=', school_id).where('device_id', '=', device_id).executeTakeFirst()
  return Told.parse(row?.desired ?? {})
}

/** Settings as they go to a device, by the key of their row. */
export async function configBodies(db: Db, data_key: Buffer, of: Of, keys: readonly string[]): Promise<Map<string, { hash: string; body: ReturnType<typeof configBody> }>> {
  const desired = await readDesired(db, of)
  const bodies = new Map<string, { hash: string; body: ReturnType<typeof configBody> }>()
  for (const key of keys) {
    const one = desired[key]
    const value = one?.version === undefined ? one?.value : await readSecret(db, data_key, of, key, one)
    if (one && value !== null && value !== undefined) bodies.set(key, { hash: settingHash(key, one), body: configBody(key, value) })
  }
  return bodies
}

async function readSecret(db: Db, data_key: Buffer, { school_id }: Of, key: string, { profile_id, is_trial }: Desired): Promise<string | undefined> {
  const row = await db.selectFrom('config_profile').select(['secret_sealed', 'trial_sealed']).where('school_id', '=', school_id).where('profile_id', '=', profile_id ?? '0').executeTakeFirst()
  const sealed = is_trial ? row?.trial_sealed : row?.secret_sealed
  return sealed ? Secrets.parse(JSON.parse(openSettings(data_key, school_id, sealed)))[key] : undefined
}

import { randomBytes } from 'node:crypto'
import { accessErrors, DoorQrRow } from '@campus/access/contract'
import type { doorQrApi } from '@campus/access/contract'
import { control } from '@campus/devices/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AccessCtx } from '../db.ts'
import { decide } from '../decide/decide.ts'
import { readFacts, readSites } from '../decide/read-facts.ts'
import { readSubjects } from '../decide/read-subjects.ts'
import { readDoors, requireDoors } from './door.queries.ts'
import { refuseOften } from './door.service.ts'
import { noteCommand, orderOf } from './order.ts'

const [opened, by_code, other_reason, token_bytes] = [1, 2, '9', 16] as const
const Code = DoorQrRow.pick({ device_id: true, enabled: true, token: true, token_version: true }).extend({ last_used_at: z.date().transform(at => at.toISOString()).nullable() })

async function codesOf({ db, school_id }: AccessCtx): Promise<Map<string, z.output<typeof Code>>> {
  const { rows } = await sql`select device_id::text, enabled, token, token_version, last_used_at from door_qr where school_id = ${school_id}`.execute(db)
  return new Map(z.array(Code).parse(rows).map(row => [row.device_id, row]))
}

/** Doors with the codes that stand at them; what is switched off has no code to print. */
export async function listCodes(ctx: AccessCtx, { keyword }: Input<typeof doorQrApi.list>): Promise<Reply<typeof doorQrApi.list>> {
  const [doors, codes] = [await readDoors(ctx, { keyword }), await codesOf(ctx)]
  const none = { enabled: false, token: null, token_version: 0, last_used_at: null }
  return { list: doors.map(({ device_id, device_name, place_name }) => {
    const { enabled, token, token_version, last_used_at } = codes.get(device_id) ?? none
    return { device_id, device_name, place_name, enabled, token: enabled ? token : null, token_version, last_used_at }
  }) }
}

/** Switches codes on or off; a door that is switched on for the first time gets one. @throws Refusal 404 */
export async function enableCodes(ctx: AccessCtx, { device_ids, enabled }: Input<typeof doorQrApi.enable>): Promise<Reply<typeof doorQrApi.enable>> {
  await requireDoors(ctx, device_ids)
  const codes = await codesOf(ctx)
  const rows = [...new Set(device_ids)].map(device_id => ({ device_id, token: codes.get(device_id)?.token ?? newToken(), token_version: codes.get(device_id)?.token_version ?? 1, enabled }))
  await write(ctx, rows)
  ctx.note({ target_kind: 'access.door_qr', target_id: device_ids[0] ?? '', after: { device_ids, enabled } })
  return { changed: rows.length }
}

/** Gives doors other codes; those that are printed open nothing from now on. @throws Refusal 404 */
export async function rotateCodes(ctx: AccessCtx, { device_ids }: Input<typeof doorQrApi.rotate>): Promise<Reply<typeof doorQrApi.rotate>> {
  await requireDoors(ctx, device_ids)
  const codes = await codesOf(ctx)
  const rows = [...new Set(device_ids)].map(device_id => ({ device_id, token: newToken(), token_version: (codes.get(device_id)?.token_version ?? 0) + 1, enabled: codes.get(device_id)?.enabled ?? true }))
  await write(ctx, rows)
  ctx.note({ target_kind: 'access.door_qr', target_id: device_ids[0] ?? '', after: { device_ids, rotated: true } })
  return { changed: rows.length }
}

function newToken(): string {
  return randomBytes(token_bytes).toString('base64url')
}

async function write({ db, school_id, now }: AccessCtx, rows: readonly { device_id: string; token: string; token_version: number; enabled: boolean }[]): Promise<void> {
  const values = rows.map(row => ({ ...row, school_id, updated_at: now }))
  await insertMany(db, 'door_qr', values, { columns: ['school_id', 'device_id'], set: ['token', 'token_version', 'enabled', 'updated_at'] })
}

/** Opens the door whose code somebody has scanned, where he may pass it now (R53). @throws Refusal 404 qrInvalid, 409 deviceOffline, 422 qrDenied, 429 doorOften */
export async function openByCode(ctx: AccessCtx, { token }: Input<typeof doorQrApi.open>): Promise<Reply<typeof doorQrApi.open>> {
  const { db, school_id, now, me } = ctx
  const code = await db.selectFrom('door_qr').select('device_id').where('school_id', '=', school_id).where('token', '=', token).where('enabled', '=', true).executeTakeFirst()
  const site = code && (await readSites(db, school_id)).find(one => one.devices.some(device => device.device_id === code.device_id))
  if (!code || !site) throw fail(accessErrors.qrInvalid)
  const direction = site.devices.find(device => device.device_id === code.device_id)?.direction
  const facts = await readFacts(db, school_id, now)
  const [subject] = await readSubjects(db, facts, { school_id, at: now, user_ids: [me.user_id] })
  const said = subject && decide(facts, subject, site, direction === 1 ? 1 : direction === 2 ? 2 : 3, now.getTime())
  if (!said?.allowed) throw fail(accessErrors.qrDenied, { params: { sentence: said?.reason ?? '您不是本校在册人员' } })
  await refuseOften(ctx, 1)
  const { name, ...more } = orderOf(opened, now)
  const command_id = await control({ db, school_id, now, asked_by: me.user_id }, code.device_id, name, more)
  await noteCommand(ctx, { command_id, device_id: code.device_id, kind: opened, reason_code: other_reason, reason: '扫描门牌二维码', by_user: me.user_id, source: by_code })
  await db.updateTable('door_qr').set({ last_used_at: now }).where('school_id', '=', school_id).where('device_id', '=', code.device_id).execute()
  ctx.note({ target_kind: 'access.door', target_id: code.device_id, target_name: site.place_name, after: { by_code: true } })
  return { place_name: site.place_name, command_id }
}

import { devicesErrors } from '@campus/devices/contract'
import type { deviceApi } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { beginAdoption } from './adoption/adoption.queries.ts'
import { writeClient } from './client.queries.ts'
import type { DevicesCtx } from './db.ts'
import { addDevice } from './device.write.ts'
import { toldDevice } from './device.service.ts'
import { kickClients } from './notice.ts'
import { hasQr, serverOf, setupQr } from './setup.ts'
import { brokerHash, hashSecret, newEnrolCode } from './secret.ts'

const minute_ms = 60_000

/** Codes with which new devices may knock; told once. */
export async function makeCodes(ctx: DevicesCtx, { count, expires_min, device_sn }: Input<typeof deviceApi.enrol_code>): Promise<Reply<typeof deviceApi.enrol_code>> {
  await requireAllPlaces(ctx)
  const { db, school_id, now } = ctx
  const codes = Array.from({ length: count }, newEnrolCode)
  const expires_at = new Date(now.getTime() + expires_min * minute_ms)
  await db.deleteFrom('device_enrol_code').where('school_id', '=', school_id).where('expires_at', '<', now).execute()
  await db.insertInto('device_enrol_code').values(codes.map(code => ({ code_hash: hashSecret(code), broker_hash: brokerHash(code), school_id, expires_at }))).execute()
  ctx.note({ target_kind: 'devices.enrol_code', target_name: `${count}个登记码`, after: { count, expires_min } })
  const setup_qr = device_sn === undefined ? undefined : setupQr(ctx.app, { client_id: device_sn, secret: codes[0] ?? '' })
  return { codes, expires_at: expires_at.toISOString(), server: serverOf(ctx.app), ...(setup_qr === undefined ? {} : { setup_qr }) }
}

/** Devices that have knocked with a code and wait for somebody to say what they are. */
export async function readUnclaimed(ctx: DevicesCtx): Promise<Reply<typeof deviceApi.unclaimed>> {
  await requireAllPlaces(ctx)
  const rows = await ctx.db.selectFrom('device_enrol_code').select(['device_sn', 'client_ip', 'seen_at']).where('school_id', '=', ctx.school_id).where('device_sn', 'is not', null).where('expires_at', '>=', ctx.now).orderBy('seen_at', 'desc').execute()
  return { list: rows.flatMap(({ device_sn, client_ip, seen_at }) => (device_sn === null || seen_at === null ? [] : [{ device_sn, client_ip: client_ip ?? '', at: seen_at.toISOString() }])), has_qr: hasQr(ctx.app) }
}

/**
 * Registers a device that waits: the code it shows opens until it has come in with the secret that it is given at once, for a day at most. It is sent away, to come again as who it is now.
 * @throws Refusal 409 enrolCodeWrong, deviceSnTaken, deviceNameTaken, deviceClientConflict
 */
export async function claimDevice(ctx: DevicesCtx, draft: Input<typeof deviceApi.claim>): Promise<Reply<typeof deviceApi.claim>> {
  await requireAllPlaces(ctx)
  const { app, db, school_id, now } = ctx
  const code = await db.deleteFrom('device_enrol_code').where('school_id', '=', school_id).where('device_sn', '=', draft.device_sn).where('expires_at', '>=', now).returning(['code_hash', 'broker_hash']).executeTakeFirst()
  if (!code) throw fail(devicesErrors.enrolCodeWrong)
  const { device_id, driver } = await addDevice(ctx, draft)
  await writeClient(db, { school_id, device_id }, draft.device_sn, { secret_hash: code.code_hash, broker_hash: code.broker_hash, is_temporary: true })
  await beginAdoption({ app, db, school_id, device_id, now }, driver)
  await kickClients({ db, school_id }, [draft.device_sn])
  return { device: await toldDevice(ctx, device_id) }
}

/** Codes and strangers belong to no place: they are for whoever sees all of them. */
async function requireAllPlaces(ctx: DevicesCtx): Promise<void> {
  if ((await placeScope(ctx)) !== 'all') throw fail(commonErrors.notFound)
}

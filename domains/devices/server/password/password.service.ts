import { devicesErrors, most_digits } from '@campus/devices/contract'
import type { passwordApi } from '@campus/devices/contract'
import { spendRecheck } from '@campus/identity/server'
import { placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { DevicesCtx } from '../db.ts'
import { requireDevice, requirePath } from '../device.service.ts'
import { wakeSenders } from '../notice.ts'
import { openPassword } from '../sealed-parts.ts'
import { lockPlan } from '../sync/planner.ts'
import { consolesOf, passwordState, putPassword, readLines, readPasswords } from './password.queries.ts'

/** How far the passwords of the devices in the reader's places have got. */
export async function listPasswords(ctx: DevicesCtx, { page_index, page_size, place_id, ...filter }: Input<typeof passwordApi.list>): Promise<Reply<typeof passwordApi.list>> {
  const scope = await placeScope(ctx)
  const below = place_id === undefined ? {} : { below: (await requirePath(ctx, place_id, scope)).node_path }
  return readLines(ctx.db, { school_id: ctx.school_id, scope, ...below, ...filter }, { limit: page_size, offset: (page_index - 1) * page_size })
}

/** Gives devices a new password, which each takes before anything else; one that has it already is left alone. @throws Refusal 404, 422 passwordDigits */
export async function setPasswords(ctx: DevicesCtx, { device_ids, password }: Input<typeof passwordApi.set>): Promise<Reply<typeof passwordApi.set>> {
  if (password.length > most_digits) throw fail(devicesErrors.passwordDigits)
  const { app, db, school_id, now, me } = ctx
  const ids = [...new Set(device_ids)].toSorted()
  for (const device_id of ids) await requireDevice(ctx, device_id)
  const consoles = await consolesOf(db, school_id, ids)
  const changed: string[] = []
  // In one order, so that two who do this at once do not wait for each other.
  for (const device_id of ids.filter(id => consoles.has(id))) {
    const of = { school_id, device_id }
    await lockPlan(db, school_id, device_id)
    const [newest] = await readPasswords(db, of)
    if (newest && openPassword(app.secrets.data_key, school_id, newest.password_sealed) === password) continue
    await putPassword(db, app.secrets.data_key, of, { password, set_by: me.user_id, now })
    changed.push(device_id)
  }
  await wakeSenders({ db, school_id }, changed)
  ctx.note({ target_kind: 'devices.secret', target_name: `${changed.length}台设备的密码`, after: { device_ids: changed } })
  return { changed: changed.length, unchanged: consoles.size - changed.length, unsupported: ids.length - consoles.size, offline: changed.filter(id => !consoles.get(id)).length }
}

/** Tells a device's password, and the one before while the device has not confirmed the newest. @throws Refusal 404, 403 recheck */
export async function revealPassword(ctx: DevicesCtx, { device_id, reason, recheck_token }: Input<typeof passwordApi.reveal>): Promise<Reply<typeof passwordApi.reveal>> {
  const { app, db, school_id, now, me } = ctx
  const { device_name } = await requireDevice(ctx, device_id)
  if (!(await spendRecheck(db, me.user_id, recheck_token, now))) throw fail(devicesErrors.recheck)
  const [newest, prior] = await readPasswords(db, { school_id, device_id })
  if (!newest) throw fail(commonErrors.notFound)
  await db.insertInto('device_secret_reveal').values({ school_id, device_id, version: newest.version, user_id: me.user_id, reason, at: now }).execute()
  ctx.note({ target_kind: 'devices.secret', target_id: device_id, target_name: device_name, reason })
  const open = (sealed: Buffer) => openPassword(app.secrets.data_key, school_id, sealed)
  const is_prior = prior !== undefined && (await passwordState(db, { school_id, device_id })).state !== 'applied'
  return { password: open(newest.password_sealed), prior_password: is_prior ? open(prior.password_sealed) : null }
}

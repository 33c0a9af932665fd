import { randomBytes } from 'node:crypto'
import { devicesErrors } from '@campus/devices/contract'
import type { readerApi } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sealSocialKey } from '@kit/terminal-protocol'
import type { DevicesCtx } from '../db.ts'
import { openSocial, sealSocial } from '../sealed-parts.ts'

/** How long a sealed key works at a reader (chapter 30 §4). */
const valid_ms = 60_000
const pairing_bytes = 32
const only_slot = 1

/** The key of social cards, sealed for the school's readers; the page hands it over and cannot read it. @throws Refusal 409 socialKeyMissing */
export async function tellSocial(ctx: DevicesCtx): Promise<Reply<typeof readerApi.social_cfg>> {
  const { app, school_id, now } = ctx
  const kept = await readKept(ctx)
  if (!kept) throw fail(devicesErrors.socialKeyMissing)
  const open = (sealed: Buffer) => openSocial(app.secrets.data_key, school_id, sealed)
  const expires_at = new Date(now.getTime() + valid_ms)
  ctx.note({ target_kind: 'devices.reader', target_name: '社保卡密钥' })
  return { sector: kept.sector, key: sealSocialKey(open(kept.pairing_sealed), { sector: kept.sector, key: open(kept.key_sealed), expires_at }), expires_at: expires_at.toISOString() }
}

/** Keeps the key of social cards. What readers share with the server is made at the first time, and anew when that is asked for. */
export async function setSocial(ctx: DevicesCtx, { sector, key, renew_pairing }: Input<typeof readerApi.social_key>): Promise<Reply<typeof readerApi.social_key>> {
  const { app, db, school_id, now, me } = ctx
  const { data_key } = app.secrets
  const kept = await readKept(ctx)
  const pairing = kept && !renew_pairing ? openSocial(data_key, school_id, kept.pairing_sealed) : randomBytes(pairing_bytes).toString('hex')
  const row = { sector, key_sealed: sealSocial(data_key, school_id, key.toUpperCase()), pairing_sealed: sealSocial(data_key, school_id, pairing), set_by: me.user_id, set_at: now }
  await db.insertInto('reader_social').values({ school_id, ...row }).onConflict(conflict => conflict.columns(['school_id', 'slot']).doUpdateSet(row)).execute()
  ctx.note({ target_kind: 'devices.reader', target_name: '社保卡密钥', after: { sector, renew_pairing } })
  return { pairing }
}

function readKept({ db, school_id }: DevicesCtx) {
  return db.selectFrom('reader_social').select(['sector', 'key_sealed', 'pairing_sealed']).where('school_id', '=', school_id).where('slot', '=', only_slot).forUpdate().executeTakeFirst()
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { devicesErrors, firmware_extensions } from '@campus/devices/contract'
import type { Firmware, firmwareApi, FirmwareKind } from '@campus/devices/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import { isSignedPackage } from '@kit/terminal-protocol'
import type { Db, DevicesCtx } from '../db.ts'
import { readFirmwareKeys, readModels } from '../model.queries.ts'
import { readPackages } from './firmware.queries.ts'

const own_kinds = 'jbn、jap'
const all_kinds: readonly FirmwareKind[] = ['jbn', 'jap', 'dpk', 'ad_zip']

/** The packages of a school, the latest first. */
export async function listPackages({ db, school_id }: DevicesCtx, { model_code, kind, page_index, page_size }: Input<typeof firmwareApi.list>): Promise<Reply<typeof firmwareApi.list>> {
  const found = (await readPackages(db, school_id)).filter(one => (model_code === undefined || one.model_codes.includes(model_code)) && (kind === undefined || one.kind === kind))
  return { list: found.slice((page_index - 1) * page_size, page_index * page_size), total: found.length }
}

/**
 * Takes a package in: its ending is one that every model of it takes, its MD5 is the one that its maker says, and whoever of its models has its maker's key finds it signed.
 * @throws Refusal 409 firmwareTaken, 415 firmwareExt, firmwareExtOf, 422 deviceModelUnknown, firmwareMd5, firmwareSignature
 */
export async function takePackage(pre: Pre, { model_codes, version, md5, signature, notes, allow_downgrade }: Input<typeof firmwareApi.upload>): Promise<(ctx: DevicesCtx) => Promise<{ firmware: Firmware }>> {
  const { app, me, file } = pre
  if (!me || !file) throw fail(commonErrors.malformed, { errors: [{ field: 'file', msg: '请选择要上传的文件' }] })
  const codes = [...new Set(model_codes)].toSorted()
  const kind = await pre.own(me.school_id, (db: Db) => kindOf(db, codes, file.file_name))
  const hashes = [createHash('md5'), createHash('sha256')] as const
  await pipeline(createReadStream(file.path), async function* (source) {
    for await (const part of source) for (const hash of hashes) hash.update(part)
    yield ''
  })
  const [own_md5, sha256] = hashes.map(hash => hash.digest('hex'))
  if (own_md5 !== md5 || sha256 === undefined) throw fail(devicesErrors.firmwareMd5)
  await pre.own(me.school_id, (db: Db) => requireSigned(db, codes, sha256, signature))
  const file_key = await app.files.keep(file.path, me.school_id, 'firmware', extname(file.file_name).toLowerCase())
  return async ({ db, school_id, now, note }) => {
    const facts = { model_codes: codes, kind, version, file_name: file.file_name.slice(0, 200), size: String(file.size), sha256, md5, signature: signature ?? null, notes: notes ?? null, allow_downgrade: allow_downgrade === '1' }
    const { firmware_id } = await db.insertInto('firmware').values({ school_id, ...facts, file_key, uploaded_by: me.user_id, uploaded_at: now }).returning('firmware_id').executeTakeFirstOrThrow()
    note({ target_kind: 'devices.firmware', target_id: firmware_id, target_name: `${codes.join('、')} ${version}`, after: facts })
    const [firmware] = await readPackages(db, school_id, firmware_id)
    if (!firmware) throw fail(commonErrors.notFound)
    return { firmware }
  }
}

async function requireSigned(db: Db, codes: readonly string[], sha256: string, signature = ''): Promise<void> {
  const keys = await readFirmwareKeys(db, codes)
  const strict = keys.find(({ firmware_key }) => !isSignedPackage(sha256, signature, firmware_key))
  if (strict) throw fail(devicesErrors.firmwareSignature, { params: { model: strict.model_code } })
}

/** Gives a package up; its bytes go a little later. @throws Refusal 404, 409 firmwareInUse */
export async function deletePackage({ db, school_id, now, note }: DevicesCtx, { id }: Input<typeof firmwareApi.delete>): Promise<Reply<typeof firmwareApi.delete>> {
  const running = await db.selectFrom('firmware_task').select('task_id').where('school_id', '=', school_id).where('firmware_id', '=', id).where('state', 'in', ['running', 'held']).executeTakeFirst()
  if (running) throw fail(devicesErrors.firmwareInUse)
  const gone = await db.updateTable('firmware').set({ deleted_at: now }).where('school_id', '=', school_id).where('firmware_id', '=', id).where('deleted_at', 'is', null).returning(['version', 'model_codes']).executeTakeFirst()
  if (!gone) throw fail(commonErrors.notFound)
  note({ target_kind: 'devices.firmware', target_id: id, target_name: `${gone.model_codes.join('、')} ${gone.version}` })
  return { version: gone.version }
}

/** What a file is by its ending, if every model takes it. */
async function kindOf(db: Db, codes: readonly string[], file_name: string): Promise<FirmwareKind> {
  const extension = extname(file_name).toLowerCase()
  const models = (await readModels(db)).filter(model => codes.includes(model.model_code))
  if (models.length !== codes.length) throw fail(devicesErrors.deviceModelUnknown)
  const kinds = all_kinds.filter(kind => firmware_extensions[kind] === extension)
  const kind = kinds.find(one => models.every(model => model.firmware_kinds.includes(one)))
  if (kind) return kind
  const list = (models.find(model => !kinds.some(one => model.firmware_kinds.includes(one)))?.firmware_kinds ?? []).map(one => (one === 'ad_zip' ? 'zip' : one)).join('、')
  throw fail(list === own_kinds ? devicesErrors.firmwareExt : devicesErrors.firmwareExtOf, { params: { list: list || '无' } })
}

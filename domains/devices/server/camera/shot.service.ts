import { createReadStream } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { cameraShotApi, devicesErrors } from '@campus/devices/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { FileReply, Pre } from '@kit/server/http'
import { rewritePicture } from '@kit/server/image'
import type { Db } from '../db.ts'
import { isBringAddress, isShotAddress, shotKey } from './address.ts'
import { enterShot } from './shot.queries.ts'

type Brought = Input<typeof cameraShotApi.bring>
/** Pictures of a wall need no more. */
const fit = { width: 1280, height: 720 }
const most_bytes = 2 * 1024 * 1024
const Params = cameraShotApi.bring.details.params

/** Before a body is read: whether the address is one that this server has just made. @throws Refusal 403 */
export async function admitShot(pre: Pre, params: unknown): Promise<number> {
  const asked = Params?.safeParse(params)
  if (!asked?.success || !isOurs(pre, asked.data)) throw fail(devicesErrors.cameraShot)
  return most_bytes
}

function isOurs({ app, now }: Pre, { school_id, id, at, sign }: Brought): boolean {
  return isBringAddress(app, now, { school_id, camera_id: id }, { at: Number(at), sign })
}

/** Takes the newest picture of a camera, written anew; the one before is gone. @throws Refusal 403, 415 for bytes that are no JPEG */
export async function takeShot(pre: Pre, asked: Brought): Promise<Reply<typeof cameraShotApi.bring>> {
  const { app, file, own } = pre
  const { school_id, id, at } = asked
  if (!isOurs(pre, asked) || !file) throw fail(devicesErrors.cameraShot)
  const picture = await rewritePicture(await readFile(file.path), fit)
  if (picture?.mime !== 'image/jpeg') throw fail(devicesErrors.cameraShotType)
  const is_newest = await own(school_id, (db: Db) => enterShot(db, { school_id, device_id: id }, new Date(Number(at))))
  if (!is_newest) return { taken: false }
  const path = app.files.scratch()
  await writeFile(path, picture.bytes, { mode: 0o600 })
  await app.files.place(path, shotKey({ school_id, camera_id: id }))
  return { taken: true }
}

/** The newest picture of a camera, for whom the address was made. @throws Refusal 403 when it has run out, 404 when there is no picture */
export async function showShot({ app, now }: Pre, { school_id, id, ...signed }: Input<typeof cameraShotApi.show>): Promise<FileReply> {
  const of = { school_id, camera_id: id }
  if (!isShotAddress(app, now, of, signed)) throw fail(devicesErrors.cameraShot)
  const path = app.files.pathOf(shotKey(of))
  const found = await stat(path).catch(() => null)
  if (!found) throw fail(commonErrors.notFound)
  return { file_name: `${id}.jpg`, mime: 'image/jpeg', size: found.size, open: part => createReadStream(path, part) }
}

import type { photoApi } from '@campus/devices/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { FileReply, Pre } from '@kit/server/http'
import { isPhotoAddress } from './address.ts'
import { photoCounterPort } from './counter.ts'

/** A photograph for a device. @throws Refusal 404 for an address that is not ours, has run out or was used, and for a row that is not on its way */
export async function fetchPhoto({ app, now }: Pre, { school_id, device_id, row_key, ver, e, s }: Input<typeof photoApi.fetch>): Promise<FileReply> {
  const of = { device_id, row_key, ver }
  const body = isPhotoAddress(app, now, { school_id, ...of }, { e, s }) ? await photoCounterPort.one(app).fetch(school_id, of) : null
  if (!body) throw fail(commonErrors.notFound)
  return { file_name: `${row_key}.jpg`, mime: 'image/jpeg', body }
}

import { filesErrors, kind_extensions, mostMegabytes, purpose_facts, token_seconds } from '@campus/files/contract'
import type { FileKind, TokenQuery, UploadPurpose, UploadToken } from '@campus/files/contract'
import { readStorePlace } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import { files_limit } from '@kit/contract/checks'
import type { Pre } from '@kit/server/http'
import type { StoreKey } from '@kit/server/secrets'
import type { z } from 'zod'
import { storeKeyOf } from './db.ts'
import type { FilesHandle } from './db.ts'
import { extensionMimes } from './magic.ts'
import { keyDay } from './school-day.ts'
import { storeForms } from './store/form.ts'
import type { FormRule } from './store/form.ts'
import { embeddedForm, storeRegion } from './ticket-form.ts'
import type { OssType } from './ticket-form.ts'
import { embeddedKey } from './ticket.ts'

type Query = z.output<typeof TokenQuery>
const mebi = 1024 * 1024

/**
 * What the caller's browser needs to upload files of one purpose under its own folder of today (F1).
 * @throws Refusal 409 when the school keeps its files in another kind of store, 415 when the purpose takes no such kind
 */
export async function issueToken(pre: Pre, oss_type: OssType, query: Query): Promise<UploadToken> {
  const { me, now, app } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const kind = kindFor(query.purpose, query.kind)
  const place = await pre.own(me.school_id, (db: FilesHandle) => readStorePlace(db, me.school_id))
  if (place?.oss_type !== oss_type) throw fail(filesErrors.wrongStore)
  const key = outsideKey(query.purpose, place.oss_bucket === null ? null : storeKeyOf(app, me.school_id, oss_type))
  const rule: FormRule = {
    bucket: place.oss_bucket ?? 'embedded',
    region: storeRegion(place.oss_region),
    dir: `${me.school_id}/${me.user_id}/${keyDay(now)}/`,
    max_size: mostMegabytes(query.purpose, kind, key === null) * mebi,
    mimes: extensionMimes(kind_extensions[kind]),
    now,
    expire_at: new Date(now.getTime() + query.expire_seconds * 1000),
  }
  const keys = key ?? embeddedKey(app)
  const { form, host, expire_at } = key === null
    ? await embeddedForm(pre, me, { oss_type, kind, purpose: query.purpose, is_override: query.is_override === '1', files: files_limit, rule })
    : { form: storeForms[oss_type](key, rule), host: hostOf(key, rule.bucket), expire_at: rule.expire_at }
  return {
    accessKeyId: keys.access_key_id, accessKeySecret: form.signature, securityToken: form.policy, ...(form.token === undefined ? {} : { token: form.token }),
    host, dir: rule.dir, fields: form.fields, max_size: rule.max_size, expire_at: expire_at.toISOString(),
  }
}

/**
 * A form by which a page that knows nothing of stores brings files that lie encrypted; whoever asks has made sure that he may.
 * @throws Refusal 415 for a kind that the purpose does not take
 */
export async function sealedForm(pre: Pre, purpose: 'person_file' | 'id_photo'): Promise<Pick<UploadToken, 'host' | 'dir' | 'fields' | 'max_size'>> {
  const { me } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const place = await pre.own(me.school_id, (db: FilesHandle) => readStorePlace(db, me.school_id))
  const oss_type: OssType = place?.oss_type === 1 || place?.oss_type === 2 ? place.oss_type : 3
  const { host, dir, fields, max_size } = await issueToken(pre, oss_type, { purpose, is_override: '0', expire_seconds: token_seconds })
  return { host, dir, fields, max_size }
}

/** What lies encrypted never leaves this server, not even on its way in. */
function outsideKey(purpose: UploadPurpose, key: StoreKey | null): StoreKey | null {
  return purpose_facts[purpose].is_sealed ? null : key
}

function kindFor(purpose: UploadPurpose, asked: FileKind | undefined): FileKind {
  const { kinds } = purpose_facts[purpose]
  const kind = asked ?? kinds[0]
  if (kind === undefined || !kinds.includes(kind)) throw fail(filesErrors.wrongType)
  return kind
}

function hostOf({ origin, oss_type }: StoreKey, bucket: string): string {
  return oss_type === 3 ? `${origin}/${bucket}` : origin
}

import { filesErrors, kind_extensions, mostMegabytes, purpose_facts } from '@campus/files/contract'
import type { FileKind, TokenQuery, UploadPurpose, UploadToken } from '@campus/files/contract'
import { readStorePlace } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import { files_limit } from '@kit/contract/checks'
import type { Me, Pre } from '@kit/server/http'
import type { StoreKey } from '@kit/server/secrets'
import type { z } from 'zod'
import { storeKeyOf } from './db.ts'
import type { FilesHandle } from './db.ts'
import { extensionMimes } from './magic.ts'
import { keyDay } from './school-day.ts'
import { storeForms } from './store/form.ts'
import type { FormRule, StoreForm } from './store/form.ts'
import { embeddedKey, ticketHash } from './ticket.ts'
import { addTicket } from './ticket.queries.ts'

type Query = z.output<typeof TokenQuery>
type OssType = 1 | 2 | 3
const mebi = 1024 * 1024
const default_region = 'us-east-1'

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
    region: place.oss_region ?? default_region,
    dir: `${me.school_id}/${me.user_id}/${keyDay(now)}/`,
    max_size: mostMegabytes(query.purpose, kind, key === null) * mebi,
    mimes: extensionMimes(kind_extensions[kind]),
    now,
    expire_at: new Date(now.getTime() + query.expire_seconds * 1000),
  }
  const keys = key ?? embeddedKey(app)
  const { form, host, expire_at } = key === null
    ? await embeddedForm(pre, me, { oss_type, kind, purpose: query.purpose, is_override: query.is_override === '1', rule })
    : { form: storeForms[oss_type](key, rule), host: hostOf(key, rule.bucket), expire_at: rule.expire_at }
  return {
    accessKeyId: keys.access_key_id, accessKeySecret: form.signature, securityToken: form.policy, ...(form.token === undefined ? {} : { token: form.token }),
    host, dir: rule.dir, fields: form.fields, max_size: rule.max_size, expire_at: expire_at.toISOString(),
  }
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

type Issue = { oss_type: OssType; kind: FileKind; purpose: UploadPurpose; is_override: boolean; rule: FormRule }
type EmbeddedForm = { form: StoreForm; host: string; expire_at: Date }

/**
 * Without credentials the school's files lie on this server; what the form may do is kept here and asked by its name before a body is read. The words of a
 * store know no purpose and count in seconds, so two forms of one second may be the same: then the later one ends a second earlier, until its
 * name is its own, and nothing private comes in as something public.
 */
async function embeddedForm(pre: Pre, me: Me, { oss_type, kind, purpose, is_override, rule }: Issue): Promise<EmbeddedForm> {
  const { dir, max_size, mimes } = rule
  const facts = { user_id: me.user_id, school_id: me.school_id, prefix: dir, store: oss_type, purpose, kind, max_size: String(max_size), mimes: [...mimes], is_override, files_left: files_limit }
  for (let expire_at = rule.expire_at; ; expire_at = new Date(expire_at.getTime() - 1000)) {
    const form = storeForms[oss_type](embeddedKey(pre.app), { ...rule, expire_at })
    const ticket_hash = ticketHash(form.policy, form.signature)
    const is_own = await pre.own(0, (db: FilesHandle) => addTicket(db, { ticket_hash, ...facts, expire_at }, pre.now))
    if (is_own) return { form, host: `/material/upload/${ticket_hash.toString('base64url')}`, expire_at }
  }
}

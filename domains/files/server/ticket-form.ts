import type { BroughtPurpose, FileKind } from '@campus/files/contract'
import type { Desk, FilesHandle } from './db.ts'
import { storeForms } from './store/form.ts'
import type { FormRule, StoreForm } from './store/form.ts'
import { embeddedKey, ticketHash } from './ticket.ts'
import { addTicket } from './ticket.queries.ts'

export type OssType = 1 | 2 | 3
type Issue = { oss_type: OssType; kind: FileKind; purpose: BroughtPurpose; is_override: boolean; files: number; rule: FormRule }
type EmbeddedForm = { form: StoreForm; host: string; expire_at: Date }
const default_region = 'us-east-1'

/** The region that a form of S3 is signed for. */
export function storeRegion(region: string | null | undefined): string {
  return region ?? default_region
}

/**
 * Without credentials the school's files lie on this server; what the form may do is kept here and asked by its name before a body is read. The words of a
 * store know no purpose and count in seconds, so two forms of one second may be the same: then the later one ends a second earlier, until its
 * name is its own, and nothing private comes in as something public.
 */
export async function embeddedForm(pre: Desk, { school_id, user_id }: { school_id: number; user_id: string }, { oss_type, kind, purpose, is_override, files, rule }: Issue): Promise<EmbeddedForm> {
  const { dir, max_size, mimes } = rule
  const facts = { user_id, school_id, prefix: dir, store: oss_type, purpose, kind, max_size: String(max_size), mimes: [...mimes], is_override, files_left: files }
  for (let expire_at = rule.expire_at; ; expire_at = new Date(expire_at.getTime() - 1000)) {
    const form = storeForms[oss_type](embeddedKey(pre.app), { ...rule, expire_at })
    const ticket_hash = ticketHash(form.policy, form.signature)
    const is_own = await pre.own(0, (db: FilesHandle) => addTicket(db, { ticket_hash, ...facts, expire_at }, pre.now))
    if (is_own) return { form, host: `/material/upload/${ticket_hash.toString('base64url')}`, expire_at }
  }
}

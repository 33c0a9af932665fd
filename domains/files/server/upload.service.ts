import { open } from 'node:fs/promises'
import { filesErrors, purpose_facts, uploadApi } from '@campus/files/contract'
import type { BroughtPurpose, FileKind, UploadForm } from '@campus/files/contract'
import { commonErrors, fail } from '@kit/contract'
import { setTimer } from '@kit/server/event'
import type { Pre } from '@kit/server/http'
import type { Selectable } from 'kysely'
import { keepBytes } from './bytes.ts'
import { asFiles } from './db.ts'
import type { FilesDb, FilesHandle } from './db.ts'
import { head_bytes, mimeOf } from './magic.ts'
import { changeBytes, enterFile, state } from './object.queries.ts'
import { ticketOf } from './ticket.ts'
import { findTicket, spendTicket } from './ticket.queries.ts'
import { unusedTimer } from './unused.ts'

type Ticket = Selectable<FilesDb['upload_ticket']>
const mebi = 1024 * 1024
const Params = uploadApi.save.details.params

/**
 * Before a body is read: how many bytes the form may bring.
 * @throws Refusal 403 for a form that this server did not sign, or that has run out
 */
export async function admitUpload(pre: Pre, params: unknown): Promise<number> {
  const asked = Params?.safeParse(params)
  const ticket_hash = Buffer.from(asked?.data?.ticket ?? '', 'base64url')
  const ticket = asked?.success ? await pre.own(0, (db: FilesHandle) => findTicket(db, ticket_hash, pre.now)) : undefined
  if (!ticket) throw fail(filesErrors.ticketInvalid)
  return Number(ticket.max_size)
}

/**
 * Takes one file into the embedded store under the name its uploader gave it; nobody sees it before it is used somewhere.
 * @throws Refusal 403 for another form or folder, 413, 415 when its bytes are not what its name says, 409 for a name that is taken
 */
export async function takeUpload(pre: Pre, form: UploadForm): Promise<{ key: string }> {
  const { file, now, app } = pre
  const ticket_hash = ticketOf(form)
  const ticket = ticket_hash && (await pre.own(0, (db: FilesHandle) => spendTicket(db, ticket_hash, now)))
  if (!ticket || !form.key.startsWith(ticket.prefix)) throw fail(filesErrors.ticketInvalid)
  const { school_id, user_id } = ticket
  pre.note({ school_id, user_id, target_kind: 'file', target_id: form.key })
  if (!file || file.size === 0) throw fail(filesErrors.wrongType)
  if (file.size > Number(ticket.max_size)) throw fail(commonErrors.tooLarge, { params: { n: Number(ticket.max_size) / mebi } })
  const facts = { ...(await whatItIs(ticket, form.key, file.path)), size: String(file.size), uploaded_at: now }
  const { bytes_no } = await pre.own(school_id, async (db: FilesHandle) => {
    const entered = await enterFile(asFiles(db), { school_id, file_key: form.key, ...facts, unused_since: now }, ticket.is_override)
    if (!entered) throw fail(filesErrors.nameTaken)
    await setTimer({ app, db, school_id }, unusedTimer(form.key, now, ticket.purpose))
    return entered
  })
  // Until its bytes lie there nobody can use it, and no other upload can take its name.
  const row = { school_id, file_key: form.key, bytes_no }
  await keepBytes(pre, { ...row, ...facts }, file.path).catch(async (error: unknown) => {
    await pre.own(school_id, (db: FilesHandle) => changeBytes(asFiles(db), row, [state.arriving], { state: state.quarantined }))
    throw error
  })
  if (!(await pre.own(school_id, (db: FilesHandle) => changeBytes(asFiles(db), row, [state.arriving], { state: state.uploaded })))) throw fail(filesErrors.missing)
  return { key: form.key }
}

const name_shape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/

async function whatItIs(ticket: Ticket, file_key: string, path: string) {
  const name = file_key.slice(ticket.prefix.length)
  const ext = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const kind = kindOf(ticket.kind)
  const mime = kind && name_shape.test(name) && isTaken(ticket.purpose, ext) ? mimeOf(kind, ext, await headOf(path)) : null
  if (kind === null || mime === null) throw fail(filesErrors.wrongType)
  const { purpose, store, user_id } = ticket
  return { store, driver: 'embedded', bucket: null, purpose, kind, ext, mime, visibility: visibilityOf(purpose), state: state.arriving, uploaded_by: user_id }
}

/** The first bytes of a file. */
async function headOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(head_bytes)
    const { bytesRead } = await file.read(head, 0, head_bytes, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function kindOf(code: string): FileKind | null {
  return code === '1' || code === '2' || code === '3' || code === '4' || code === '5' ? code : null
}

function visibilityOf(purpose: string): string {
  return isPurpose(purpose) ? purpose_facts[purpose].visibility : 'private'
}

/** Some purposes take fewer types than their kinds have. */
function isTaken(purpose: string, ext: string): boolean {
  return !isPurpose(purpose) || (purpose_facts[purpose].extensions?.includes(ext) ?? true)
}

function isPurpose(purpose: string): purpose is BroughtPurpose {
  return purpose in purpose_facts
}

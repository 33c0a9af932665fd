import type { Insertable } from 'kysely'
import type { FilesDb, FilesHandle } from './db.ts'

/** Keeps what a form may do; what has run out goes on the way. False when a form of this name is there for something else. */
export async function addTicket(db: FilesHandle, ticket: Insertable<FilesDb['upload_ticket']>, now: Date): Promise<boolean> {
  await db.deleteFrom('upload_ticket').where('expire_at', '<', now).execute()
  const added = await db.insertInto('upload_ticket').values(ticket).onConflict(conflict => conflict.column('ticket_hash').doNothing()).returning('ticket_hash').executeTakeFirst()
  if (added) return true
  const { ticket_hash, purpose, kind, is_override = false } = ticket
  const same = await db
    .selectFrom('upload_ticket')
    .select('ticket_hash')
    .where('ticket_hash', '=', ticket_hash)
    .where('purpose', '=', purpose)
    .where('kind', '=', kind)
    .where('is_override', '=', is_override)
    .executeTakeFirst()
  return same !== undefined
}

/** A ticket that still takes files. */
export function findTicket(db: FilesHandle, ticket_hash: Buffer, now: Date) {
  return db.selectFrom('upload_ticket').selectAll().where('ticket_hash', '=', ticket_hash).where('expire_at', '>', now).where('files_left', '>', 0).executeTakeFirst()
}

/** Uses a ticket for one file; nothing when it has none left. */
export function spendTicket(db: FilesHandle, ticket_hash: Buffer, now: Date) {
  return db
    .updateTable('upload_ticket')
    .set(eb => ({ files_left: eb('files_left', '-', 1) }))
    .where('ticket_hash', '=', ticket_hash)
    .where('expire_at', '>', now)
    .where('files_left', '>', 0)
    .returningAll()
    .executeTakeFirst()
}

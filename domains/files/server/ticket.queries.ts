import type { Insertable } from 'kysely'
import type { FilesDb, FilesHandle } from './db.ts'

/** Keeps what a form may do; what has run out goes on the way. */
export async function addTicket(db: FilesHandle, ticket: Insertable<FilesDb['upload_ticket']>, now: Date): Promise<void> {
  await db.deleteFrom('upload_ticket').where('expire_at', '<', now).execute()
  await db.insertInto('upload_ticket').values(ticket).onConflict(conflict => conflict.column('ticket_hash').doNothing()).execute()
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

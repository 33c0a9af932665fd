import type { BookDraft, BookEntryDraft, BookType } from '@campus/people/contract'
import { sql } from 'kysely'
import { insertRows } from '../bulk.ts'
import { oneOf, validOn } from '../dated.ts'
import type { Db, PeopleCtx } from '../db.ts'

type Key = { school_id: number; type: BookType }
export type EntryRecord = Awaited<ReturnType<typeof readEntries>>[number]
export type BookRecord = NonNullable<Awaited<ReturnType<typeof findBook>>>

/** A book that was ever saved; `lock` makes it if it is not there and keeps it until the transaction ends. */
export async function findBook(db: Db, { school_id, type }: Key, lock: boolean) {
  if (lock) await db.insertInto('addr_book').values({ school_id, type: Number(type) }).onConflict(on => on.doNothing()).execute()
  return db
    .selectFrom('addr_book')
    .select(['is_open', 'show_mobile', 'dept_ids', 'row_version'])
    .where('school_id', '=', school_id)
    .where('type', '=', Number(type))
    .$if(lock, query => query.forUpdate())
    .executeTakeFirst()
}

/** The lines of a book in order, with the names of people and departments as they are. */
export function readEntries(db: Db, { school_id, type }: Key, on: string) {
  return db
    .selectFrom('addr_book_entry as e')
    .leftJoin('live_staff as s', join => join.onRef('s.school_id', '=', 'e.school_id').onRef('s.user_id', '=', 'e.user_id'))
    .leftJoin('person as p', join => join.onRef('p.school_id', '=', 'e.school_id').onRef('p.user_id', '=', 'e.user_id'))
    .leftJoin('dept_version as v', join => join.onRef('v.school_id', '=', 'e.school_id').onRef('v.dept_id', '=', 'e.dept_id').on(validOn('v', on)))
    .select(['e.id', 'e.user_id', 'e.dept_id', 'e.title', 'e.tel', 'e.visible', 'p.user_name', 's.teacher_no', 's.primary_dept_id', 'v.dept_name', 'v.node_path'])
    .where('e.school_id', '=', school_id)
    .where('e.type', '=', Number(type))
    .orderBy('e.order_no')
    .orderBy('e.id')
    .execute()
}

/** Saves what the book says of itself. */
export async function writeBook({ db, school_id, me, now }: PeopleCtx, type: BookType, { row_version, ...book }: BookDraft): Promise<void> {
  await db
    .updateTable('addr_book')
    .set({ ...book, row_version: row_version + 1, updated_at: now, updated_by: me.user_id })
    .where('school_id', '=', school_id)
    .where('type', '=', Number(type))
    .execute()
}

/** Puts these lines in the place of all that the book had. */
export async function replaceEntries({ db, school_id }: PeopleCtx, type: BookType, entries: readonly BookEntryDraft[]): Promise<void> {
  await db.deleteFrom('addr_book_entry').where('school_id', '=', school_id).where('type', '=', Number(type)).execute()
  await insertRows(db, 'addr_book_entry', entries.map((entry, at) => ({ school_id, type: Number(type), ...entry, order_no: at + 1 })))
}

/** Takes lines out. @returns how many there were */
export async function deleteEntries({ db, school_id }: PeopleCtx, type: BookType, ids: readonly string[]): Promise<number> {
  const gone = await db.deleteFrom('addr_book_entry').where('school_id', '=', school_id).where('type', '=', Number(type)).where(oneOf('id', ids)).returning('id').execute()
  return gone.length
}

/** Somebody of the staff in one of his departments. */
export type BookStaff = { user_id: string; user_name: string; mobile: string | null; position: string | null; node_path: string }

/** Everybody at work today with each department he belongs to, by pinyin. */
export async function bookStaff(db: Db, school_id: number, on: string): Promise<BookStaff[]> {
  const { rows } = await sql<BookStaff>`
    select s.user_id, s.user_name, s.mobile, m.position, v.node_path
    from live_staff s
    join person p on p.school_id = s.school_id and p.user_id = s.user_id
    join dept_member m on m.school_id = s.school_id and m.user_id = s.user_id and m.member_kind = 'staff' and ${validOn('m', on)}
    join dept_version v on v.school_id = m.school_id and v.dept_id = m.dept_id and ${validOn('v', on)}
    where s.school_id = ${school_id} and p.school_id = ${school_id} and m.school_id = ${school_id} and v.school_id = ${school_id}
    order by p.name_py, s.teacher_no, m.is_primary desc`.execute(db)
  return rows
}

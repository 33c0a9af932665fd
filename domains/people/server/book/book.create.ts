import type { BookType } from '@campus/people/contract'
import { insertRows } from '../bulk.ts'
import type { Db } from '../db.ts'

/** A book as a school is made with it; its lines are departments or numbers. */
export type NewBook = { type: BookType; show_mobile: 'none' | 'mask' | 'full'; lines: readonly ({ dept_id: string } | { title: string; tel: string })[] }

/** Makes open books with their lines in order, without a word in the journal: for schools that are made whole. */
export async function createBooks(db: Db, school_id: number, books: readonly NewBook[]): Promise<void> {
  await insertRows(db, 'addr_book', books.map(({ type, show_mobile }) => ({ school_id, type: Number(type), is_open: true, show_mobile })))
  const lines = books.flatMap(({ type, lines: list }) => list.map((line, at) => ({ school_id, type: Number(type), dept_id: null, title: null, tel: null, ...line, order_no: at + 1 })))
  await insertRows(db, 'addr_book_entry', lines)
}

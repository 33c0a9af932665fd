import { Book, peopleErrors } from '@campus/people/contract'
import type { BookEntry, bookApi, BookEntryDraft, BookType } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { labelsOn, requireDept } from '../dept.service.ts'
import { liveStaff } from '../picker.queries.ts'
import { pickStaff } from '../picker.service.ts'
import { bookStaff, deleteEntries, findBook, readEntries, replaceEntries, writeBook } from './book.queries.ts'
import type { BookRecord, EntryRecord } from './book.queries.ts'
import { shownGroups } from './shown.ts'

const unsaved = { is_open: false, show_mobile: 'mask', dept_ids: [], row_version: 0 }

/** A book with its lines, and how its readers see it. */
export async function readBook(ctx: PeopleCtx, { type }: Input<typeof bookApi.list>): Promise<Reply<typeof bookApi.list>> {
  const { db, school_id } = ctx
  const on = schoolDay(ctx.now)
  const book = Book.parse({ type, ...((await findBook(db, { school_id, type }, false)) ?? unsaved) })
  const records = await readEntries(db, { school_id, type }, on)
  const labels = await labelsOn(ctx, records.flatMap(({ dept_id, primary_dept_id }) => dept_id ?? primary_dept_id ?? []), on)
  return { book, entries: records.map(record => entryOf(record, labels)), shown: shownGroups(book, records, await bookStaff(db, school_id, on)) }
}

function entryOf(record: EntryRecord, labels: ReadonlyMap<string, string>): BookEntry {
  const { id, user_id, dept_id, title, tel, visible, user_name, teacher_no, primary_dept_id, node_path } = record
  const name = dept_id === null ? (title ?? user_name ?? '') : (labels.get(dept_id) ?? '已撤销的部门')
  const about = user_id === null ? '' : [teacher_no, labels.get(primary_dept_id ?? '')].filter(Boolean).join(' · ')
  const is_gone = (user_id !== null && teacher_no === null) || (dept_id !== null && node_path === null)
  return { id, user_id, dept_id, title, tel, visible, name, about, is_gone }
}

/** @throws Refusal 404 for a department of another school, 409 when somebody else has changed the book */
export async function saveBook(ctx: PeopleCtx, { type, ...draft }: Input<typeof bookApi.save>): Promise<Reply<typeof bookApi.save>> {
  for (const dept_id of draft.dept_ids) await requireDept(ctx, dept_id)
  const book = await lockBook(ctx, type, draft.row_version)
  await writeBook(ctx, type, { ...draft, row_version: book.row_version })
  const { is_open, show_mobile, dept_ids } = book
  ctx.note({ target_kind: 'people.book', target_id: type, before: { is_open, show_mobile, dept_ids }, after: draft })
  return { type, row_version: book.row_version + 1 }
}

/**
 * Replaces the lines of a book by these, in this order.
 * @throws Refusal 404 for a person or department that neither stands in the book nor is one of the school's, 409 when somebody else has changed it
 */
export async function saveEntries(ctx: PeopleCtx, { type, row_version, entries }: Input<typeof bookApi.saveList>): Promise<Reply<typeof bookApi.saveList>> {
  const { db, school_id } = ctx
  const book = await lockBook(ctx, type, row_version)
  const before = await readEntries(db, { school_id, type }, schoolDay(ctx.now))
  if (type === '3' && entries.some(entry => entry.title === null)) throw fail(peopleErrors.bookNumbersOnly)
  await requireKnown(ctx, entries, before)
  await replaceEntries(ctx, type, entries)
  await writeBook(ctx, type, { ...Book.parse({ type, ...book }), row_version: book.row_version })
  ctx.note({ target_kind: 'people.book', target_id: type, before: { lines: before.length }, after: { lines: entries.length } })
  return { type, row_version: book.row_version + 1 }
}

/** Takes lines out of a book. @throws Refusal 404 when one of them is not there */
export async function removeEntries(ctx: PeopleCtx, { type, ids }: Input<typeof bookApi.deleteList>): Promise<Reply<typeof bookApi.deleteList>> {
  const book = await findBook(ctx.db, { school_id: ctx.school_id, type }, true)
  if (!book || (await deleteEntries(ctx, type, ids)) < new Set(ids).size) throw fail(commonErrors.notFound)
  const { is_open, show_mobile, dept_ids, row_version } = Book.parse({ type, ...book })
  await writeBook(ctx, type, { is_open, show_mobile, dept_ids, row_version })
  ctx.note({ target_kind: 'people.book', target_id: type, before: { ids } })
  return { type, row_version: row_version + 1 }
}

/** Staff to choose for a book, and who of them stands there already. */
export async function chooseStaff(ctx: PeopleCtx, { type, keyword, dept_id, page_index, page_size }: Input<typeof bookApi.teacherList>): Promise<Reply<typeof bookApi.teacherList>> {
  const { list } = await pickStaff(ctx, { keyword, dept_id })
  const entries = await readEntries(ctx.db, { school_id: ctx.school_id, type }, schoolDay(ctx.now))
  const chosen = new Set(entries.flatMap(entry => entry.user_id ?? []))
  const from = (page_index - 1) * page_size
  return { list: list.slice(from, from + page_size).map(person => ({ ...person, is_chosen: chosen.has(person.user_id) })), total: list.length }
}

async function lockBook(ctx: PeopleCtx, type: BookType, row_version: number): Promise<BookRecord> {
  const known = await findBook(ctx.db, { school_id: ctx.school_id, type }, false)
  const book = await findBook(ctx.db, { school_id: ctx.school_id, type }, true)
  if (!book || (known ?? unsaved).row_version !== row_version || (known && book.row_version !== row_version)) throw fail(peopleErrors.staleRow)
  return book
}

/** Whoever is new in the book works at the school today; whoever stood there may stay. */
async function requireKnown(ctx: PeopleCtx, entries: readonly BookEntryDraft[], before: readonly EntryRecord[]): Promise<void> {
  const added = entries.filter(({ user_id, dept_id }) => !before.some(known => (user_id !== null && known.user_id === user_id) || (dept_id !== null && known.dept_id === dept_id)))
  const ids = added.flatMap(entry => entry.user_id ?? [])
  const staff = ids.length === 0 ? [] : await liveStaff(ctx.db, { school_id: ctx.school_id, on: schoolDay(ctx.now), scope: 'all', ids }, ids.length)
  if (staff.length < ids.length) throw fail(commonErrors.notFound)
  for (const { dept_id } of added) await requireDept(ctx, dept_id ?? undefined)
}

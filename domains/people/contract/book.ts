import { api, del, filter, get, id, page, PageQuery, post, queryList } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { PickedPerson } from './picker.ts'
import { UserId } from './student.ts'

/** The books of a school (chapter 20 §1.5). */
export const book_types = ['1', '2', '3'] as const
export const book_titles: Readonly<Record<(typeof book_types)[number], string>> = { '1': '教职工互见', '2': '家长可见教职工', '3': '常用电话' }
const BookType = z.enum(book_types)
export type BookType = z.output<typeof BookType>
/** How readers see a mobile number: not at all, with hidden digits, wholly. */
export const mobile_ways = ['none', 'mask', 'full'] as const

/** Most lines of one book. */
export const most_entries = 300
const EntryId = id('people.addr_book_entry')
const Title = z.string().trim().min(1, { error: '请填写名称' }).max(30, { error: '超过30个字' })
const Tel = z.string().trim().regex(/^[0-9+()（）\-\s转]{3,30}$/u, { error: '电话只能填写数字、空格和“-”，分机写“转”，如 0571-88001234转801' })

/** A line of a book: a person, a department with everybody below it, or a number that belongs to nobody. */
export const BookEntryDraft = z.strictObject({
  user_id: UserId.nullable().default(null),
  dept_id: DeptId.nullable().default(null),
  title: Title.nullable().default(null),
  tel: Tel.nullable().default(null),
  /** a person or department that is not visible is left out wherever it would stand */
  visible: z.boolean().default(true),
}).refine(({ user_id, dept_id, title, tel }) => {
  const is_number = title !== null && tel !== null
  return [user_id !== null, dept_id !== null, is_number].filter(Boolean).length === 1 && (is_number || (title === null && tel === null))
}, { error: '每一行只能是一位人员、一个部门或一个电话' })
export type BookEntryDraft = z.output<typeof BookEntryDraft>

export const BookEntry = z.object({
  id: EntryId,
  user_id: UserId.nullable(),
  dept_id: DeptId.nullable(),
  title: z.string().nullable(),
  tel: z.string().nullable(),
  visible: z.boolean(),
  /** the person's or department's name, or the title */
  name: z.string(),
  /** number and department of a person */
  about: z.string(),
  /** the person has left or the department has closed: readers do not see the line any more */
  is_gone: z.boolean(),
})
export type BookEntry = z.output<typeof BookEntry>

export const Book = z.object({ type: BookType, is_open: z.boolean(), show_mobile: z.enum(mobile_ways), dept_ids: z.array(DeptId), row_version: z.number().int() })
export type Book = z.output<typeof Book>

/** What a reader sees, group by group; `phone` is masked here even where readers see it whole. */
export const ShownGroup = z.object({ title: z.string(), people: z.array(z.object({ name: z.string(), post: z.string(), phone: z.string().nullable() })), more: z.number().int() })
export type ShownGroup = z.output<typeof ShownGroup>

const BookDraft = z.strictObject({
  is_open: z.boolean(),
  show_mobile: z.enum(mobile_ways),
  /** whose staff or whose parents may read it; nobody named = all of them */
  dept_ids: z.array(DeptId).max(200, { error: '最多选择200个部门' }),
  row_version: z.number().int(),
})
export type BookDraft = z.output<typeof BookDraft>

const edit = { need: 'people.addr.edit' } as const
const Saved = z.object({ type: BookType, row_version: z.number().int() })
const Entries = z.array(BookEntryDraft).max(most_entries, { error: `最多${most_entries}行` }).refine(rows => {
  const named = rows.flatMap(({ user_id, dept_id }) => (user_id ? `u${user_id}` : dept_id ? `d${dept_id}` : []))
  return new Set(named).size === named.length
}, { error: '同一人员或部门不能重复' })

/** Address books (chapter 20 §4 Book). */
export const bookApi = api('v2', 'people.book', {
  list: get('address_book/list', { query: z.object({ type: BookType }), reply: z.object({ book: Book, entries: z.array(BookEntry), shown: z.array(ShownGroup) }), ...edit }),
  save: post('address_book/saveOrUpdateAddressBook/:type', { params: z.object({ type: BookType }), body: BookDraft, reply: Saved, op: 4, ...edit }),
  saveList: post('address_book/saveList', { body: z.strictObject({ type: BookType, row_version: z.number().int(), entries: Entries }), reply: Saved, op: 4, ...edit }),
  deleteList: del('address_book/deleteList', { query: z.object({ type: BookType, ids: queryList(EntryId, most_entries) }), reply: Saved, ...edit }),
  teacherList: post('address_book/teacherList', {
    reads: true, body: PageQuery.extend({ type: BookType, keyword: filter(z.string().max(50)), dept_id: filter(DeptId) }),
    reply: page(PickedPerson.extend({ is_chosen: z.boolean() })),
    within: 'staff_dept',
    ...edit,
  }),
})

import { bookApi } from '@campus/people/contract'
import type { Book, BookEntry, BookType } from '@campus/people/contract'
import { call, useSaving, usePage } from '@kit/web'
import type { Saving } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

/** A line on the page; one that was just added has no id yet. */
export type DraftEntry = Omit<BookEntry, 'id'> & { id?: string }
type Settings = Pick<Book, 'is_open' | 'show_mobile' | 'dept_ids'>

/** One book with its lines and what its readers see. */
export function useBook(type: BookType) {
  const { active } = usePage()
  return useQuery({ queryKey: [bookApi.list.call, type], queryFn: ({ signal }) => call(bookApi.list, { type }, { quiet: true, signal }), enabled: active })
}

export type BookDraftState = Saving & {
  settings: Settings
  entries: readonly DraftEntry[]
  dirty: boolean
  set: (patch: Partial<Settings>) => void
  setEntries: (entries: readonly DraftEntry[]) => void
  save: () => Promise<void>
  reset: () => void
}

/** What was changed of a book and is not saved yet. */
export function useBookDraft(book: Book, entries: readonly BookEntry[]): BookDraftState {
  const [changed, change] = useState<{ settings?: Settings; entries?: readonly DraftEntry[] }>({})
  const saving = useSaving()
  const client = useQueryClient()
  const { type } = book
  const settings = changed.settings ?? { is_open: book.is_open, show_mobile: book.show_mobile, dept_ids: book.dept_ids }
  const send = async () => {
    let { row_version } = book
    if (changed.settings) row_version = (await call(bookApi.save, { type, ...changed.settings, row_version }, { quiet: true })).row_version
    if (changed.entries) await call(bookApi.saveList, { type, row_version, entries: changed.entries.map(lineOf) }, { quiet: true })
  }
  return {
    ...saving,
    settings,
    entries: changed.entries ?? entries,
    dirty: changed.settings !== undefined || changed.entries !== undefined,
    set: patch => change({ ...changed, settings: { ...settings, ...patch } }),
    setEntries: list => change({ ...changed, entries: list }),
    save: async () => {
      if (!(await saving.run(send, '设置成功'))) return
      await client.invalidateQueries({ queryKey: [bookApi.list.call, type] })
      change({})
    },
    reset: () => change({}),
  }
}

function lineOf({ user_id, dept_id, title, tel, visible }: DraftEntry) {
  return { user_id, dept_id, title, tel, visible }
}

/** The list with one line at another place. */
export function movedTo<T>(list: readonly T[], from: number, to: number): T[] {
  const line = list[from]
  return line === undefined || to < 0 || to >= list.length ? [...list] : list.toSpliced(from, 1).toSpliced(to, 0, line)
}

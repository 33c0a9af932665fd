import { most_quick, preferenceApi } from '@campus/school/contract'
import type { NavItem } from '@campus/school/contract'
import { call, toast } from '@kit/web'
import { useState } from 'react'
import { moved, toggled } from './quick-list.ts'

/** The quick row while it is being changed; `draft` is undefined before and after. */
export type QuickEdit = {
  draft: readonly NavItem[] | undefined
  busy: boolean
  full: boolean
  /** what the last change did, for those who do not see it */
  said: string
  start: () => void
  cancel: () => void
  toggle: (page: NavItem) => void
  move: (from: number, to: number) => void
  save: () => void
}

/** Changes the quick row as a draft, which is saved whole; a refused save leaves the draft as it is. */
export function useQuickEdit(quick: readonly NavItem[], onSaved: (quick: NavItem[]) => void): QuickEdit {
  const [draft, setDraft] = useState<NavItem[]>()
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  const change = (next: NavItem[], sentence: string) => {
    setDraft(next)
    setSaid(sentence)
  }
  const save = async (row: NavItem[]) => {
    setBusy(true)
    try {
      await call(preferenceApi.save, { pref_key: 'quick_navs', value: row.map(page => page.path) })
      onSaved(row)
      setDraft(undefined)
      toast.success()
    } finally {
      setBusy(false)
    }
  }
  return {
    draft,
    busy,
    full: draft !== undefined && draft.length >= most_quick,
    said,
    start: () => change([...quick], ''),
    cancel: () => setDraft(undefined),
    toggle: page => draft && change(toggled(draft, page, most_quick), draft.some(held => held.path === page.path) ? `已移除${page.show_name}` : `已添加${page.show_name}`),
    move: (from, to) => draft && change(moved(draft, from, to), `${draft[from]?.show_name}已移到第${to + 1}位`),
    save: () => void (draft && !busy && save(draft).catch(() => undefined)),
  }
}

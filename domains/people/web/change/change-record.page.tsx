import { PageContext, usePage } from '@kit/web'
import type { PageSearch } from '@kit/web'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { ChangeList } from './change.list.tsx'
import { ReceiptDrawer } from './receipt-drawer.tsx'

/** 变更记录: every command over people, with its receipt behind each line. */
export default function ChangeRecord(): ReactNode {
  const page = usePage()
  const { command_id, ...listed } = page.search
  const open = (id: string) => page.setSearch({ ...listed, command_id: id })
  const list_page = useMemo(() => withoutReceipt(page.search, page), [page])
  return (
    <PageContext value={list_page}>
      <ChangeList open={open} />
      {command_id !== undefined && <ReceiptDrawer key={command_id} command_id={command_id} onClose={() => page.setSearch(listed)} />}
    </PageContext>
  )
}

/** The page as the list sees it: the open receipt is no filter. */
function withoutReceipt<P extends { setSearch: (search: PageSearch) => void }>({ command_id, ...search }: PageSearch, page: P): P & { search: PageSearch } {
  return { ...page, search, setSearch: (next: PageSearch) => page.setSearch(command_id === undefined ? next : { ...next, command_id }) }
}

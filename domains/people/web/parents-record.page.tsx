import { ImportWizard, useImportDoor } from '@campus/jobs/web'
import { deptApi, parentApi, studentApi } from '@campus/people/contract'
import { Can, PageContext, PageTabs, TreePanel, useCan, usePage } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { ReactNode } from 'react'
import { RecordLink } from './change/change-door.tsx'
import { ExportButton } from './export-button.tsx'
import { ImportButtons, recordImports } from './import-buttons.tsx'
import { DuplicatesDoor } from './merge/duplicates-door.tsx'
import { PasswordLookup } from './password/password-doors.tsx'
import { ParentList } from './parent.list.tsx'
import { RecordMore } from './record-more.tsx'
import { listPart, tabOf, withListPart, withTab } from './record-search.ts'
import { StudentList } from './student.list.tsx'
import { useDeptTree } from './use-dept-tree.ts'

/** 学生家长档案: the student tree beside two lists, as of today or of another day, and their imports. */
export default function ParentsRecord(): ReactNode {
  const page = usePage()
  const { search, setSearch } = page
  const tab = tabOf(search)
  const on = tab === 'student' ? search.on : undefined
  const tree = useDeptTree(on)
  const door = useImportDoor()
  const opened = recordImports.find(({ template }) => template === door.template)
  const sees_parents = useCan(parentApi.list)
  const written = useWritten()
  useTabFocus(tab)
  const list_page = useMemo(() => ({ ...page, search: listPart(search), setSearch: (part: typeof search) => setSearch(withListPart(search, part)) }), [page, search, setSearch])
  const choose = (dept_id: string | undefined) => {
    const { dept_id: _, page_index: __, ...rest } = search
    setSearch(dept_id === undefined ? rest : { ...rest, dept_id })
  }
  const head = (
    <PageTabs
      tabs={[{ key: 'student', label: '学生' } as const, ...(sees_parents ? [{ key: 'parent', label: '家长' } as const] : [])]}
      value={tab}
      onChange={key => setSearch(withTab(search, key))}
    />
  )
  const side = useCan(deptApi.tree) ? (
    <TreePanel key={on} name={`student-${on ?? ''}`} load={tree.load} search={tree.search} selected={search.dept_id} onSelect={choose} empty="还没有部门，先在学生组织架构中新增年级和班级" />
  ) : undefined
  const actions = (
    <>
      <ImportButtons tab={tab} open={door.open} />
      <ExportButton list={tab} />
    </>
  )
  const more = (
    <>
      {tab === 'student' ? <PageContext value={page}><RecordMore nameOf={tree.nameOf} onApplied={written} /></PageContext> : <PasswordLookup kind={tab} />}
      {tab === 'student' && <RecordLink />}
      <DuplicatesDoor />
    </>
  )
  const parts = { nameOf: tree.nameOf, head, side, actions, more, start: <ImportButtons only tab={tab} open={door.open} /> }
  return (
    <div className="people-records">
      <PageContext value={list_page}>
        <Can code={tab === 'student' ? studentApi.list : parentApi.list}>{tab === 'student' ? <StudentList {...parts} /> : <ParentList {...parts} />}</Can>
      </PageContext>
      <ImportWizard template={opened?.template ?? ''} title={opened?.title ?? ''} open={opened !== undefined} onClose={door.close} onApplied={written} />
    </div>
  )
}

/** Each list has the strip of tabs in its head, so that another one stands there after a change: it takes the focus over. */
function useTabFocus(tab: string): void {
  const shown = useRef(tab)
  useEffect(() => {
    if (shown.current !== tab && document.activeElement === document.body) document.querySelector<HTMLElement>('.people-records [role=tab][aria-selected=true]')?.focus()
    shown.current = tab
  }, [tab])
}

/** After an import both lists and the counts of the tree are read again. */
function useWritten(): () => void {
  const client = useQueryClient()
  return useCallback(() => {
    for (const key of [studentApi.list.call, parentApi.list.call, 'dept-tree', 'tree']) void client.invalidateQueries({ queryKey: [key] })
  }, [client])
}

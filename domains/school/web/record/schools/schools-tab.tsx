import { school_states, schoolManageApi } from '@campus/school/contract'
import type { SchoolListRow } from '@campus/school/contract'
import { Can, downloadFile, Filters, ListPage, PageContext, Table, usePage, useResourceList } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import type { PageSearch } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { Move } from './move-words.ts'
import { isHere, schoolFields } from './school.fields.tsx'

const AddDialog = lazy(() => import('./add-dialog.tsx').then(part => ({ default: part.AddDialog })))
const MoveDialog = lazy(() => import('./move-dialog.tsx').then(part => ({ default: part.MoveDialog })))
const NameDialog = lazy(() => import('./name-dialog.tsx').then(part => ({ default: part.NameDialog })))
const ClosingDialog = lazy(() => import('./closing-dialog.tsx').then(part => ({ default: part.ClosingDialog })))
const EnterDialog = lazy(() => import('./enter-dialog.tsx').then(part => ({ default: part.EnterDialog })))

type Opened = { view: 'add' } | { view: Move | 'name' | 'enter' | 'closing'; school: SchoolListRow }

/** 学校列表: every school of the installation, for super accounts alone. */
export function SchoolsTab(): ReactNode {
  const page = usePage()
  const { search, setSearch } = page
  const list_page = useMemo(() => {
    const { tab, ...own } = search
    return { ...page, search: own, setSearch: (next: PageSearch) => setSearch(tab === undefined ? next : { ...next, tab }) }
  }, [page, search, setSearch])
  return (
    <div className="record-schools">
      <PageContext value={list_page}><Can code={schoolManageApi.page}><Schools /></Can></PageContext>
    </div>
  )
}

function Schools(): ReactNode {
  const list = useResourceList(schoolManageApi.page, schoolFields, { part: 'schools' })
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const written = async () => {
    close()
    await list.refresh()
  }
  const { keyword, school_type, state } = list.values
  const download = () => downloadFile(schoolManageApi.export, { keyword, school_type, state }, { quiet: true })
  const add = (
    <>
      <ExportButton code={schoolManageApi.export} title="导出学校列表" total={list.total} unit="所" run={download} />
      <Can code={schoolManageApi.add}><Button type="primary" onClick={() => setOpened({ view: 'add' })}>新增学校</Button></Can>
    </>
  )
  return (
    <ListPage of={list} actions={add} filters={<Filters of={list} show={['school_name', 'school_type', 'state']} />}>
      <Table
        of={list}
        show={['school_id', 'school_name', 'school_type', 'state', 'people', 'online', 'last_login_at', 'storage_bytes']}
        row={rowActions(setOpened)}
        row_width={188}
        empty="还没有学校，可点击新增学校"
      />
      <Suspense>
        {opened?.view === 'add' && <AddDialog onClose={close} onAdded={list.refresh} />}
        {opened?.view === 'closing' && <ClosingDialog school={opened.school} onClose={close} />}
        {opened?.view === 'name' && <NameDialog school={opened.school} onClose={close} onSaved={written} />}
        {opened?.view === 'enter' && <EnterDialog school={opened.school} onClose={close} />}
        {(opened?.view === 'suspend' || opened?.view === 'resume' || opened?.view === 'close') && <MoveDialog move={opened.view} school={opened.school} onClose={close} onMoved={written} />}
      </Suspense>
    </ListPage>
  )
}

function rowActions(open: (opened: Opened) => void) {
  return (school: SchoolListRow) => <RowActions school={school} open={open} />
}

/** What can be done with a school in its state; the one this session works in cannot be shut from inside. */
function RowActions({ school, open }: { school: SchoolListRow; open: (opened: Opened) => void }): ReactNode {
  const { state, school_name } = school
  const here = isHere(school)
  const act = (view: Exclude<Opened['view'], 'add'>, label: string, danger = false) => (
    <Button type="link" size="small" danger={danger} aria-label={`${label}${school_name}`} onClick={() => open({ view, school })}>{label}</Button>
  )
  return (
    <>
      {state === school_states.active && !here && act('enter', '进入')}
      {state !== school_states.closed && act('name', '改名')}
      {state === school_states.active && !here && act('suspend', '停用', true)}
      {(state === school_states.suspended || state === school_states.preparing) && act('resume', '启用')}
      {state === school_states.suspended && act('close', '关闭', true)}
      {(state === school_states.suspended || state === school_states.closed) && act('closing', '进度')}
    </>
  )
}

import { deptEditApi } from '@campus/people/contract'
import { PageTabs, schoolToday, useCan, usePage } from '@kit/web'
import type { PageSearch } from '@kit/web'
import { HistoryOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { Board } from './board-view.tsx'
import { BoardSkeleton } from './board-skeleton.tsx'
import { boardOf, onlyHeadless, totalsOf } from './board.ts'
import { DateStrip } from './date-strip.tsx'
import { useDeptDoor } from './dept-door.ts'
import { DeptDialogs } from './dept-dialogs.tsx'
import { EmptySchool } from './empty-school.tsx'
import { HeadBar } from './head-bar.tsx'
import { pupilCount } from './pupil-count.tsx'
import { TreeView } from './tree-view.tsx'
import { useChangeDays, useOrganization } from './use-organization.ts'
import './organization.css'

const views = [{ key: 'board', label: '看板' }, { key: 'tree', label: '树' }] as const

/** 学生组织架构: the grades and classes of a day as a board or as a tree, and everything that changes them. */
export default function Organization(): ReactNode {
  const { search, setSearch } = usePage()
  const today = schoolToday()
  const on = search.on === today ? undefined : search.on
  const view = search.view === 'tree' ? 'tree' : 'board'
  const { tree, grades, failed, retry } = useOrganization(on)
  const days = useChangeDays()
  const door = useDeptDoor()
  const may_edit = useCan(deptEditApi.update) && on === undefined
  const board = useMemo(() => (tree && grades ? boardOf(tree, grades) : undefined), [tree, grades])
  const only_headless = view === 'board' && search.only === 'headless'
  const shown = useMemo(() => (board && only_headless ? onlyHeadless(board) : board), [board, only_headless])
  const change = (patch: Record<string, string | undefined>) => setSearch(withPatch(search, patch))
  const edit_door = may_edit ? door : undefined
  const is_bare = view === 'tree' && tree?.[0]?.children.length === 0
  const is_empty = is_bare || (view === 'board' && board?.every(division => division.grades.length === 0) === true)
  return (
    <div className="org" onFocus={door.remember} data-ready={failed !== null ? 'failed' : shown && 'organization'}>
      <div className="org-head">
        <PageTabs tabs={views} value={view} onChange={key => change({ view: key === 'tree' ? key : undefined })} />
        <HeadBar totals={board && totalsOf(board)} only_headless={only_headless} filter={chosen => change({ view: undefined, only: chosen ? 'headless' : undefined })} door={edit_door} tree={tree} on={on} />
      </div>
      <DateStrip changes={days} today={today} on={on ?? today} choose={day => change({ on: day === today ? undefined : day })} />
      {on !== undefined && (
        <div className="people-band" role="status">
          <HistoryOutlined aria-hidden />
          <span>
            正在查看 <b>{on}</b> 的组织架构{on > today && '（尚未生效）'}
          </span>
          <Button size="small" onClick={() => change({ on: undefined })}>回到今天</Button>
        </div>
      )}
      {failed !== null && <Failed sentence={failed} retry={retry} />}
      {failed === null && !shown && <BoardSkeleton />}
      {failed === null && tree && shown && is_empty && <EmptySchool root={tree[0]} door={edit_door} />}
      {failed === null && tree && shown && !is_empty && view === 'board' && <Board board={shown} on={on} door={edit_door} filtered={only_headless} clear={() => change({ only: undefined })} />}
      {failed === null && tree && shown && view === 'tree' && !is_empty && <TreeView key={on} side="student" tree={tree} door={edit_door} facts={pupilCount(on)} />}
      {tree && board && <DeptDialogs door={door} tree={tree} board={board} />}
    </div>
  )
}

function Failed({ sentence, retry }: { sentence: string; retry: () => void }): ReactNode {
  return (
    <div className="kit-failed org-body" role="alert">
      <p>{sentence}</p>
      <Button onClick={retry}>重试</Button>
    </div>
  )
}

function withPatch(search: PageSearch, patch: Record<string, string | undefined>): PageSearch {
  return Object.fromEntries(Object.entries({ ...search, ...patch }).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

import { row_metrics } from '@campus/insight/contract'
import type { Overview } from '@campus/insight/contract'
import { useSetup } from '@campus/school/web'
import { instantText, usePage } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { BatchDoor } from './batch-door.tsx'
import { DeptDrawing } from './dept-drawing.tsx'
import { GradeDrawing } from './grade-drawing.tsx'
import { withoutRows } from './row-link.tsx'
import { TileRow } from './tile-row.tsx'
import { TodoCard } from './todo-card.tsx'
import { figuresOf, useOverview } from './use-overview.ts'

const Rows = lazy(() => import('./rows-drawer.tsx').then((part) => ({ default: part.RowsDrawer })))
const GHOST_TILES = 5

/** The school this morning: figures that open their rows, the classes as a drawing, and what waits for the person. */
export function Morning(): ReactNode {
  const { data, isError, refetch } = useOverview()
  if (!data) return isError ? <Failed retry={refetch} /> : <Ghost />
  return (
    <>
      {isError && <Stale as_of={data.as_of} retry={refetch} />}
      <TileRow figures={figuresOf(data)} />
      <div className="insight-columns">
        <Drawing overview={data} />
        <Todos />
      </div>
      <OpenedRows />
    </>
  )
}

/** The rows behind a number, where the address names them. */
export function OpenedRows(): ReactNode {
  const { search, setSearch } = usePage()
  const opened = row_metrics.find((metric) => metric === search.rows)
  return <Suspense>{opened && <Rows key={opened} metric={opened} dept_id={search.dept_id} no_dept={search.no_dept} onClose={() => setSearch(withoutRows(search))} />}</Suspense>
}

function Drawing({ overview: { grades, depts } }: { overview: Overview }): ReactNode {
  const { list } = useSetup()
  if (grades.some(({ total }) => total > 0)) return <GradeDrawing grades={grades} />
  if (depts.length > 0) return <DeptDrawing depts={depts} />
  const is_set_up = !list || list.done === list.total
  return (
    <section className="insight-card insight-empty">
      <p>{is_set_up ? '您负责的范围内还没有学生' : '还没有学生，请按“开始使用”清单的顺序完成设置'}</p>
      {!is_set_up && list.hidden === null && <a href="#setup">查看开始使用清单</a>}
    </section>
  )
}

/** 待我处理 with its frame, and the import it opens. */
function Todos(): ReactNode {
  return <BatchDoor>{(open) => <TodoCard onBatch={open} />}</BatchDoor>
}

/** The shape of what is about to stand here. */
function Ghost(): ReactNode {
  return (
    <div className="insight-ghost" role="status" aria-label="加载中">
      <div className="insight-tiles">{Array.from({ length: GHOST_TILES }, (_, at) => <i key={at} className="insight-tile" />)}</div>
      <div className="insight-columns">
        <i className="insight-card" />
        <i className="insight-card insight-ghost-todo" />
      </div>
    </div>
  )
}

function Failed({ retry }: { retry: () => Promise<unknown> }): ReactNode {
  return (
    <div className="insight-card kit-failed" role="alert">
      <p>今日概况加载失败</p>
      <Button onClick={() => void retry()}>重试</Button>
    </div>
  )
}

function Stale({ as_of, retry }: { as_of: string; retry: () => Promise<unknown> }): ReactNode {
  return (
    <p className="insight-stale" role="alert">
      {`更新失败，显示的是${instantText(as_of)}的数据`}
      <Button type="link" size="small" onClick={() => void retry()}>重试</Button>
    </p>
  )
}

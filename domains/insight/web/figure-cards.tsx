import { CardBody } from '@kit/web/dashboard'
import { Empty } from 'antd'
import type { ReactNode } from 'react'
import { BatchDoor } from './batch-door.tsx'
import { DeptBars } from './dept-drawing.tsx'
import { GradeBars, Legend } from './grade-drawing.tsx'
import { TileFigures } from './tile-row.tsx'
import { tilesOf } from './tiles.ts'
import { TodoList, useTodo } from './todo-card.tsx'
import { figuresOf, useOverview } from './use-overview.ts'

/** The figures of one tile of the morning. */
function Figures({ code }: { code: string }): ReactNode {
  return (
    <CardBody query={useOverview()}>
      {(overview) => {
        const figures = figuresOf(overview)
        const tile = tilesOf(figures).find((one) => one.code === code)
        return tile ? <TileFigures tile={tile} figures={figures} /> : <Nothing text="您负责的范围内还没有数据" />
      }}
    </CardBody>
  )
}

export function StudentsCard(): ReactNode {
  return <Figures code="students" />
}

export function ClassesCard(): ReactNode {
  return <Figures code="classes" />
}

export function StaffCard(): ReactNode {
  return <Figures code="staff" />
}

export function ChangesCard(): ReactNode {
  return <Figures code="changes" />
}

export function GapsCard(): ReactNode {
  return <Figures code="gaps" />
}

/** Grades and classes as the morning draws them. */
export function GradesCard(): ReactNode {
  return (
    <CardBody query={useOverview()}>
      {({ grades }) =>
        grades.some(({ total }) => total > 0) ? (
          <>
            <Legend classes={grades.flatMap((grade) => grade.classes)} />
            <GradeBars grades={grades} />
          </>
        ) : <Nothing text="您负责的范围内还没有学生" />}
    </CardBody>
  )
}

/** Departments of an enterprise. */
export function DeptsCard(): ReactNode {
  return <CardBody query={useOverview()}>{({ depts }) => (depts.length > 0 ? <DeptBars depts={depts} /> : <Nothing text="还没有员工" />)}</CardBody>
}

/** What waits for the person. */
export function TodosCard(): ReactNode {
  const query = useTodo()
  return <BatchDoor>{(open) => <div className="insight-todo"><CardBody query={query}>{(todo) => <TodoList todo={todo} onBatch={open} />}</CardBody></div>}</BatchDoor>
}

function Nothing({ text }: { text: string }): ReactNode {
  return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={text} />
}

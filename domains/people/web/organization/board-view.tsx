import { EditOutlined, PlusOutlined } from '@ant-design/icons'
import type { BoardGrade } from '@campus/people/contract'
import { Button, Empty } from 'antd'
import { memo } from 'react'
import type { ReactNode } from 'react'
import { RosterButton } from '../roster/roster-door.tsx'
import { dept_types } from './dept-place.ts'
import { pupilsOf } from './board.ts'
import type { Division } from './board.ts'
import { ClassCard } from './class-card.tsx'
import type { DeptDoor } from './dept-door.ts'

type Shown = { on: string | undefined; door: DeptDoor | undefined }

/** Divisions, their grades, their classes as cards. `filtered`: only classes without a head teacher are among them. */
export function Board({ board, filtered, clear, ...shown }: Shown & { board: readonly Division[]; filtered: boolean; clear: () => void }): ReactNode {
  if (filtered && board.length === 0) {
    return (
      <div className="org-body org-empty">
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="所有班级都已设班主任">
          <Button onClick={clear}>查看全部班级</Button>
        </Empty>
      </div>
    )
  }
  return (
    <div className="org-body">
      {board.map(division => (
        <section key={division.id} className="org-division" aria-label={division.dept_name}>
          <DivisionHead division={division} door={shown.door} />
          {division.grades.map(grade => <GradeSection key={grade.id} grade={grade} {...shown} />)}
          {division.grades.length === 0 && <p className="org-none">该学部还没有年级</p>}
        </section>
      ))}
    </div>
  )
}

function DivisionHead({ division, door }: { division: Division; door: DeptDoor | undefined }): ReactNode {
  const classes = division.grades.flatMap(grade => grade.classes)
  return (
    <header className="org-division-head">
      <h2 title={division.dept_name}>{division.dept_name}</h2>
      <span className="org-facts">{`${division.grades.length} 个年级 · ${classes.length} 个班 · ${pupilsOf(classes).toLocaleString('en-US')} 人`}</span>
      {door && (
        <span className="org-buttons">
          <Button size="small" icon={<PlusOutlined aria-hidden />} aria-label={`新增年级 ${division.dept_name}`} onClick={() => door.open({ kind: 'add', parent_id: division.id, dept_type: dept_types.grade })}>
            新增年级
          </Button>
          {division.dept_type === dept_types.division && (
            <Button size="small" icon={<EditOutlined aria-hidden />} aria-label={`编辑 ${division.dept_name}`} onClick={() => door.open({ kind: 'edit', id: division.id })}>
              编辑
            </Button>
          )}
        </span>
      )}
    </header>
  )
}

/** One grade with its classes; drawn again only when it changed. */
const GradeSection = memo(function GradeSection({ grade, on, door }: Shown & { grade: BoardGrade }): ReactNode {
  return (
    <section className="org-grade" aria-label={grade.dept_name}>
      <header className="org-grade-head">
        <h3 title={grade.dept_name}>{grade.dept_name}</h3>
        {grade.enrol_year !== null && <span className="org-cohort">{`${grade.enrol_year}级`}</span>}
        <span className="org-facts">{`${pupilsOf(grade.classes).toLocaleString('en-US')} 人 · ${grade.classes.length} 个班`}</span>
        <span className="org-facts org-leader" title={grade.head?.user_name}>{grade.head ? `年级组长 ${grade.head.user_name}` : '未设年级组长'}</span>
        <span className="org-buttons">
          {grade.classes.length > 0 && <RosterButton dept_id={grade.id} dept_name={grade.dept_name} on={on} />}
          {door && <GradeButtons grade={grade} door={door} />}
        </span>
      </header>
      <ul className="org-cards">
        {grade.classes.map(one => <ClassCard key={one.id} one={one} grade_id={grade.id} on={on} door={door} />)}
        {grade.classes.length === 0 && <li className="org-none">该年级还没有班级</li>}
      </ul>
    </section>
  )
})

function GradeButtons({ grade, door }: { grade: BoardGrade; door: DeptDoor }): ReactNode {
  const { id, dept_name } = grade
  return (
    <>
      <Button size="small" icon={<PlusOutlined aria-hidden />} aria-label={`新增班级 ${dept_name}`} onClick={() => door.open({ kind: 'add', parent_id: id, dept_type: dept_types.class })}>
        新增班级
      </Button>
      <Button size="small" aria-label={`批量新增 ${dept_name}`} onClick={() => door.open({ kind: 'batch', grade_id: id })}>批量新增</Button>
      <Button size="small" icon={<EditOutlined aria-hidden />} aria-label={`编辑 ${dept_name}`} onClick={() => door.open({ kind: 'edit', id })}>编辑</Button>
    </>
  )
}

import type { ClassSize, GradeSize } from '@campus/insight/contract'
import { dictionaryName } from '@kit/web'
import type { ReactNode } from 'react'
import { ListLink } from './row-link.tsx'

const CELL_HEIGHT = 23

/** Pupils by stage and grade as bars, and beside each bar its classes by size. Every bar and every class opens its pupils. */
export function GradeDrawing({ grades }: { grades: readonly GradeSize[] }): ReactNode {
  return (
    <section className="insight-card" aria-labelledby="insight-grades">
      <header>
        <h2 id="insight-grades">年级与班级</h2>
        <Legend classes={grades.flatMap((grade) => grade.classes)} />
      </header>
      <GradeBars grades={grades} />
    </section>
  )
}

/** The bars and cells alone. */
export function GradeBars({ grades }: { grades: readonly GradeSize[] }): ReactNode {
  const largest = Math.max(1, ...grades.map((grade) => grade.total))
  const fullest = Math.max(1, ...grades.flatMap((grade) => grade.classes.map((one) => one.total)))
  const stages = [...Map.groupBy(grades, (grade) => grade.stage)]
  return (
    <>
      {stages.map(([stage, members]) => (
        <div className="insight-stage" key={stage ?? ''}>
          {stages.length > 1 && <StageName stage={stage} members={members} />}
          {members.map((grade) => <Grade key={grade.dept_id} grade={grade} largest={largest} fullest={fullest} />)}
        </div>
      ))}
    </>
  )
}

/** What the colours and frames of the drawing mean. */
export function Legend({ classes }: { classes: readonly ClassSize[] }): ReactNode {
  return (
    <ul className="insight-legend" aria-hidden>
      <li><i className="insight-boys" />男</li>
      <li><i className="insight-girls" />女</li>
      <li><i className="insight-class" />班级人数</li>
      {classes.some((one) => one.head === null) && <li><i className="insight-class insight-headless" />未设班主任</li>}
      {classes.some(isOverfull) && <li><i className="insight-class insight-overfull" />超过上限</li>}
    </ul>
  )
}

function isOverfull({ capacity, total }: ClassSize): boolean {
  return capacity !== null && total > capacity
}

function StageName({ stage, members }: { stage: string | null; members: readonly GradeSize[] }): ReactNode {
  const total = members.reduce((sum, grade) => sum + grade.total, 0)
  return <h3>{`${stage === null ? '其他' : dictionaryName('STAGE', stage)} ${total.toLocaleString('zh-CN')}人`}</h3>
}

function Grade({ grade, largest, fullest }: { grade: GradeSize; largest: number; fullest: number }): ReactNode {
  const width = (n: number) => `${(100 * n) / largest}%`
  const text = `${grade.dept_name}${grade.total.toLocaleString('zh-CN')}人，男${grade.boys}，女${grade.girls}`
  return (
    <div className="insight-grade">
      <span className="insight-grade-name" title={grade.dept_name}>{grade.dept_name}</span>
      <Way to={grade.link} className="insight-way" label={`${text}，查看名单`} title={text}>
        <span className="insight-bar">
          <i className="insight-boys" style={{ width: width(grade.boys) }} />
          <i className="insight-girls" style={{ width: width(grade.girls) }} />
          <i className="insight-others" style={{ width: width(grade.total - grade.boys - grade.girls) }} />
        </span>
        <b>{grade.total.toLocaleString('zh-CN')}</b>
      </Way>
      <span className="insight-classes">
        {grade.classes.map((one) => <ClassCell key={one.dept_id} one={one} fullest={fullest} />)}
      </span>
    </div>
  )
}

function ClassCell({ one, fullest }: { one: ClassSize; fullest: number }): ReactNode {
  const is_overfull = isOverfull(one)
  const text = `${one.label}${one.total}人${is_overfull ? `，超过上限${one.capacity}人` : ''}，${one.head === null ? '未设班主任' : `班主任${one.head}`}`
  return (
    <Way to={one.link} className={`insight-cell${one.head === null ? ' insight-headless' : ''}${is_overfull ? ' insight-overfull' : ''}`} label={`${text}，查看名单`} title={text}>
      <i style={{ height: (CELL_HEIGHT * one.total) / fullest }} />
      <span>{one.total}</span>
    </Way>
  )
}

function Way({ to, className, label, title, children }: { to: string | null; className: string; label: string; title: string; children: ReactNode }): ReactNode {
  if (to === null) return <span className={className} title={title}>{children}</span>
  return <ListLink to={to} className={className} label={label} title={title}>{children}</ListLink>
}

import { versionApi, weekday_names } from '@campus/teaching/contract'
import type { Candidate, Command, Grid, PlanLesson, View } from '@campus/teaching/contract'
import { WeekGrid } from '@kit/web/grid'
import type { WeekLine } from '@kit/web/grid'
import { useCall } from '@kit/web/part'
import { LockOutlined } from '@ant-design/icons'
import { Button, Form, Input, Popover } from 'antd'
import { useState } from 'react'
import type { DragEvent, KeyboardEvent, PointerEvent, ReactNode } from 'react'

type Props = { grid: Grid; view: View; picked: PlanLesson | null; pick: (lesson: PlanLesson | null) => void; run: (commands: Command[]) => Promise<unknown>; undo: () => Promise<unknown> }
const marks: Readonly<Record<Candidate['verdict'], string>> = { here: '当前', free: '✓', swap: '⇄', blocked: '✕', locked: '🔒' }

/** The week of one class, teacher or place. A lesson that is picked up colours every cell, and the line below says why it may not go where the pointer is. */
export function EditorGrid({ grid, view, picked, pick, run, undo }: Props): ReactNode {
  const { over, candidates, put, handlers, open, onKey } = useMoving({ grid, view, picked, pick, run, undo })
  const lessonsAt = (key: string) => grid.lessons.filter(one => covers(one, key))
  const lines = grid.lines.map(({ section, ...line }): WeekLine => ({ key: String(section), ...line }))
  const titleOf = (line: WeekLine, weekday: number) => {
    const key = `${line.key}/${weekday}`
    return `${weekday_names[weekday] ?? ''}${line.name} ${lessonsAt(key).map(one => lessonText(one, view)).join('、') || '空'} ${candidates.get(key)?.text ?? ''}`
  }
  return (
    <div className="timetable-grid" role="presentation" {...handlers}>
      <WeekGrid
        label={`${grid.target_name}课表`} lines={lines} weekdays={grid.weekdays} titleOf={titleOf} onOpen={open} onKey={onKey}
        toneOf={(line, weekday) => toneOf(candidates.get(`${line.key}/${weekday}`), lessonsAt(`${line.key}/${weekday}`), grid)}
        renderCell={(line, weekday) => <CellLessons at={`${line.key}/${weekday}`} grid={grid} view={view} picked={picked} pick={pick} mark={candidates.get(`${line.key}/${weekday}`)} put={put} />}
      />
      <p className="timetable-why" role="status">{whyText(picked, over === undefined ? undefined : candidates.get(over), grid.is_draft)}</p>
      {picked && grid.is_draft && <PickedActs lesson={picked} run={run} done={() => pick(null)} />}
    </div>
  )
}

/** Where a picked lesson may go, and what pointer, drop and keys do with it. */
function useMoving({ grid, picked, pick, run, undo }: Props) {
  const [over, point] = useState<string>()
  const asked = useCall(versionApi.candidates, { id: grid.version_id, lesson_id: picked?.id ?? '0' }, { enabled: picked !== null && grid.is_draft })
  const candidates = new Map((picked ? (asked.data?.list ?? []) : []).map(one => [`${one.section}/${one.weekday}`, one]))
  const lessonAt = (key: string) => grid.lessons.find(one => covers(one, key)) ?? null
  const put = async (key: string) => {
    const to = candidates.get(key)
    if (!picked || !to) return
    point(key)
    if (to.verdict === 'free') await run([{ kind: 'place', lesson_id: picked.id, weekday: to.weekday, section: to.section }])
    else if (to.verdict === 'swap' && to.with !== null) await run([{ kind: 'swap', lesson_id: picked.id, other_id: to.with }])
    else return
    pick(null)
  }
  const open = (key: string) => {
    if (picked && !covers(picked, key)) void put(key)
    else pick(picked ? null : lessonAt(key))
  }
  const onKey = (key: string, cell: string) => {
    const one = lessonAt(cell)
    if (!one || !grid.is_draft || !['l', 'u', 'Delete'].includes(key)) return false
    void run([key === 'l' ? { kind: 'lock', lesson_id: one.id, locked: !one.locked } : { kind: 'unplace', lesson_id: one.id }])
    return true
  }
  const handlers = {
    onPointerOver: (event: PointerEvent) => point(cellOf(event.target)),
    onDragOver: (event: DragEvent) => { event.preventDefault(); point(cellOf(event.target)) },
    onDrop: (event: DragEvent) => { event.preventDefault(); void put(cellOf(event.target) ?? '') },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') pick(null)
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z' || !grid.is_draft) return
      event.preventDefault()
      void undo()
    },
  }
  return { over, candidates, put, open, onKey, handlers }
}

function covers({ weekday, section, span }: PlanLesson, key: string): boolean {
  const [line, day] = key.split('/').map(Number)
  return weekday === day && section !== null && line !== undefined && section <= line && line < section + span
}

function cellOf(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-cell]')?.dataset['cell'] : undefined
}

function toneOf(candidate: Candidate | undefined, own: readonly PlanLesson[], { conflicts }: Grid): string | undefined {
  if (candidate) return `cell-${candidate.verdict}`
  return conflicts.some(one => one.severity === 1 && own.some(lesson => lesson.id === one.a || lesson.id === one.b)) ? 'cell-clash' : undefined
}

function whyText(picked: PlanLesson | null, candidate: Candidate | undefined, is_draft: boolean): string {
  if (!is_draft) return '已发布的版本只能查看；复制为草稿后修改。'
  if (!picked) return '点选或拖动一节课：绿色可放，蓝色可对调，灰色不能放。方向键移动，回车拿起和放下，L 锁定，U 取下，Ctrl+Z 撤销。'
  const name = `「${picked.class_name} ${picked.course_name}」`
  if (!candidate) return `已拿起${name}，选择要放的位置，Esc 取消。`
  return `${name}${candidate.verdict === 'blocked' ? '为什么不能放这里：' : '：'}${candidate.text}`
}

/** What of a lesson is said in this view. */
function lessonText({ course_name, class_name, teachers, week_name }: PlanLesson, view: View): string {
  return [course_name, view === 'class' ? teachers.map(one => one.user_name).join('、') : class_name, week_name === '每周' ? '' : week_name].filter(Boolean).join(' ')
}

type CellProps = { at: string; grid: Grid; view: View; picked: PlanLesson | null; pick: (lesson: PlanLesson | null) => void; mark: Candidate | undefined; put: (key: string) => Promise<void> }

function CellLessons({ at, grid, view, picked, pick, mark, put }: CellProps): ReactNode {
  const own = grid.lessons.filter(one => covers(one, at))
  return (
    <>
      {own.map(one => <Chip key={one.id} lesson={one} view={view} is_picked={picked?.id === one.id} draggable={grid.is_draft && !one.locked} pick={() => (picked && picked.id !== one.id ? void put(at) : pick(picked ? null : one))} lift={() => pick(one)} />)}
      {mark && mark.verdict !== 'here' && <i className="timetable-mark">{marks[mark.verdict]}</i>}
      {own.length === 0 && picked && <span className="timetable-empty" role="presentation" onPointerDown={stop} onPointerUp={() => void put(at)} />}
    </>
  )
}

const stop = (event: PointerEvent) => event.stopPropagation()

type ChipProps = { lesson: PlanLesson; view: View; is_picked: boolean; draggable: boolean; pick: () => void; lift: () => void }

/** A lesson in the grid or beside it. The grid's cell takes the keys; the chip takes the pointer. */
export function Chip({ lesson, view, is_picked, draggable, pick, lift }: ChipProps): ReactNode {
  const start = (event: DragEvent) => {
    event.dataTransfer.setData('text/plain', lesson.id)
    lift()
  }
  return (
    <span className="timetable-chip" role="presentation" data-picked={is_picked || undefined} draggable={draggable} onPointerDown={stop} onPointerUp={pick} onDragStart={start} style={{ borderLeftColor: lesson.color }}>
      <b>{lesson.course_name}{lesson.locked && <LockOutlined aria-hidden />}</b>
      <small>{view === 'class' ? lesson.teachers.map(one => one.user_name).join('、') : lesson.class_name}{lesson.week_name !== '每周' && <em>{lesson.week_name}</em>}</small>
    </span>
  )
}

/** What may be done with the lesson that is picked up, besides moving it. */
function PickedActs({ lesson, run, done }: { lesson: PlanLesson; run: (commands: Command[]) => Promise<unknown>; done: () => void }): ReactNode {
  const act = async (command: Command) => {
    await run([command])
    done()
  }
  const weeks = (
    <Form layout="inline" initialValues={{ weeks: lesson.weeks }} onFinish={(values: { weeks: string }) => void act({ kind: 'weeks', lesson_id: lesson.id, weeks: values.weeks })}>
      <Form.Item name="weeks" label="周次" extra="例如 1-8,10，或 单、双、每周"><Input maxLength={120} /></Form.Item>
      <Button htmlType="submit" type="primary">确定</Button>
    </Form>
  )
  return (
    <div className="timetable-picked">
      <Button size="small" onClick={() => void act({ kind: 'lock', lesson_id: lesson.id, locked: !lesson.locked })}>{lesson.locked ? '解锁' : '锁定'}</Button>
      {lesson.weekday !== null && <Button size="small" disabled={lesson.locked} onClick={() => void act({ kind: 'unplace', lesson_id: lesson.id })}>取下</Button>}
      <Popover trigger="click" content={weeks}><Button size="small" disabled={lesson.locked}>周次</Button></Popover>
      <Button size="small" type="text" onClick={done}>取消</Button>
    </div>
  )
}

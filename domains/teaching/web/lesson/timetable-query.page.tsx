import { addDays, mondayOf } from '@campus/calendar/contract'
import { lesson_states, lessonApi, lessonChannel, weekday_names } from '@campus/teaching/contract'
import type { DayLesson, PlanLesson, TargetGroup, View, WeekDay } from '@campus/teaching/contract'
import { Can, downloadFile, PageFrame, printOn, readStored, schoolToday, useChannel, usePage } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { dayjs } from '@kit/web/day'
import { WeekGrid } from '@kit/web/grid'
import type { WeekLine } from '@kit/web/grid'
import { Loaded, useCall } from '@kit/web/part'
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Alert, Button, DatePicker, Dropdown, Empty, Input, Segmented, Tag, Tree } from 'antd'
import { useState } from 'react'
import type { DragEvent, ReactNode } from 'react'
import { AskedCovers } from '../cover/asked-covers.tsx'
import { OwnRequests } from '../cover/own-requests.tsx'
import type { Dropped } from '../cover/request-dialog.tsx'
import '../teaching.css'

const FeedDialog = lazyDialog(() => import('./feed-dialog.tsx').then(part => part.FeedDialog))
const RequestDialog = lazyDialog(() => import('../cover/request-dialog.tsx').then(part => part.RequestDialog))
const [week_mode, term_mode] = ['周课表', '学期课表'] as const
const days_of_week = 7
const workdays = [1, 2, 3, 4, 5]

export const PlaceTimeTable = (): ReactNode => <TimetableQuery view="place" />
export const TeacherTimeTable = (): ReactNode => <TimetableQuery view="teacher" />
export const ClassTimeTable = (): ReactNode => <TimetableQuery view="class" />

/** 课表查询: what really takes place in a week, or the plan of the term, of a class, a teacher or a place (chapter 50 §5). */
function TimetableQuery({ view }: { view: View }): ReactNode {
  const { search, setSearch } = usePage()
  const [mode, show] = useState<string>(week_mode)
  const [day, goTo] = useState(schoolToday())
  const [rev, turn] = useState(0)
  const targets = useCall(lessonApi.targets, { view })
  const target_id = search.target ?? targets.data?.groups[0]?.items[0]?.id
  const { open, close, dialog } = useDialog()
  const { busy, act } = useAct()
  const choose = (id: string) => setSearch({ ...search, target: id })
  const whole = targets.data?.groups.find(group => group.items.some(one => one.id === target_id))?.items.map(one => one.id) ?? []
  const load = (target_ids: string[], layout: 'rows' | 'grid') => act(() => downloadFile(lessonApi.sheet, { view, target_ids, date: day, layout }))
  const exports = [
    { key: 'rows', label: '当前课表（导入格式）', onClick: () => void load([target_id ?? ''], 'rows') },
    { key: 'grid', label: '当前课表（表格）', onClick: () => void load([target_id ?? ''], 'grid') },
    { key: 'all', label: `整组课表（${whole.length}份）`, onClick: () => void load(whole, 'grid') },
  ]
  const subscribe = () => open(<FeedDialog view={view} target_id={target_id ?? ''} onClose={close} />)
  const again = () => turn(rev + 1)
  const request = (dropped: Dropped | null) => open(<RequestDialog dropped={dropped} onClose={close} onDone={again} />)
  const is_own = view === 'teacher' && target_id === readStored('user_id')
  const print = (size: 'A4' | 'A3') => printOn(size)
  return (
    <div className="lesson-page" data-ready={targets.error ? 'failed' : targets.data ? 'timetable' : undefined}>
      <PageFrame
        actions={
          <>
            {is_own && <Button type="primary" onClick={() => request(null)}>申请调课</Button>}
            <Dropdown menu={{ items: [{ key: 'A4', label: '打印 A4', onClick: () => print('A4') }, { key: 'A3', label: '打印 A3', onClick: () => print('A3') }] }}><Button disabled={target_id === undefined}>打印</Button></Dropdown>
            <Can code={lessonApi.feed}><Button disabled={target_id === undefined} onClick={subscribe}>订阅</Button></Can>
            <Can code={lessonApi.sheet}><Dropdown menu={{ items: exports }}><Button loading={busy} disabled={target_id === undefined}>导出</Button></Dropdown></Can>
          </>
        }
      />
      <aside className="kit-side" aria-label="范围"><Loaded query={targets} rows={10}>{({ groups }) => <Targets groups={groups} chosen={target_id} choose={choose} />}</Loaded></aside>
      <div className="lesson-body">
        {view === 'teacher' && <><AskedCovers onDone={again} /><OwnRequests key={rev} rev={rev} /></>}
        <div className="teaching-head">
          <Segmented options={[week_mode, term_mode]} value={mode} onChange={show} />
          <Button icon={<LeftOutlined aria-hidden />} aria-label="上一周" onClick={() => goTo(addDays(day, -days_of_week))} />
          <DatePicker picker="date" allowClear={false} aria-label="日期" value={dayjs(day)} onChange={next => goTo(next?.format('YYYY-MM-DD') ?? schoolToday())} />
          <Button icon={<RightOutlined aria-hidden />} aria-label="下一周" onClick={() => goTo(addDays(day, days_of_week))} />
          <Button onClick={() => goTo(schoolToday())}>本周</Button>
        </div>
        {target_id === undefined && targets.data && <Empty description="还没有可查询的课表：请先设置教师任课并发布课表" />}
        {target_id !== undefined && (mode === week_mode
          ? <WeekTable key={rev} view={view} target_id={target_id} day={day} onDrop={is_own ? request : undefined} />
          : <PlanTable view={view} target_id={target_id} day={day} />)}
      </div>
      {dialog}
    </div>
  )
}

function Targets({ groups, chosen, choose }: { groups: readonly TargetGroup[]; chosen: string | undefined; choose: (id: string) => void }): ReactNode {
  const [text, type] = useState('')
  const found = groups.map(group => ({ ...group, items: group.items.filter(one => one.name.includes(text)) })).filter(group => group.items.length > 0)
  const nodes = found.map(group => ({ key: `g:${group.name}`, title: `${group.name}（${group.items.length}）`, selectable: false, nested: group.items.map(one => ({ key: one.id, title: one.name, nested: [] })) }))
  const own = groups.find(group => group.items.some(one => one.id === chosen))
  const select = ([key]: readonly unknown[]) => {
    if (typeof key === 'string') choose(key)
  }
  return (
    <div className="kit-tree">
      <Input allowClear placeholder="输入名称查找" aria-label="查找" value={text} onChange={event => type(event.target.value)} />
      <div className="kit-tree-body">
        {nodes.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={text === '' ? '暂无课表' : `没有找到“${text}”`} />}
        <Tree key={text === '' ? (own?.name ?? '') : 'found'} blockNode treeData={nodes} fieldNames={{ children: 'nested' }} selectedKeys={chosen === undefined ? [] : [chosen]} defaultExpandedKeys={text === '' ? [`g:${own?.name ?? ''}`] : nodes.map(node => node.key)} onSelect={select} />
      </div>
    </div>
  )
}

type TableProps = { view: View; target_id: string; day: string }

/** A week; a lesson of one's own timetable is dragged to where it should be. */
function WeekTable({ view, target_id, day, onDrop }: TableProps & { onDrop: ((dropped: Dropped) => void) | undefined }): ReactNode {
  const query = useCall(lessonApi.week, { view, target_id, from: mondayOf(day) }, { keep: true })
  const again = () => void query.refetch()
  useChannel(lessonChannel, again, { onGap: again })
  const drop = (event: DragEvent, days: readonly WeekDay[], lessons: readonly DayLesson[]) => {
    event.preventDefault()
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-cell]')?.dataset['cell'] : undefined
    const [section, weekday] = (cell ?? '').split('/').map(Number)
    const lesson = lessons.find(one => one.lesson_day_id === event.dataTransfer.getData('text/plain'))
    const date = days.find(one => one.weekday === weekday)?.date
    if (lesson && date !== undefined && section !== undefined) onDrop?.({ lesson, date, section })
  }
  return (
    <Loaded query={query} rows={10}>
      {({ target_name, week_no, week_kind, days, lines, lessons }) => (
        <section className="lesson-sheet" onDragOver={event => event.preventDefault()} onDrop={event => drop(event, days, lessons)}>
          <h2>{target_name}课表<small>{week_no === null ? '假期' : `第${week_no}周 ${week_kind === 1 ? '单周' : '双周'}`} {days[0]?.date} 至 {days.at(-1)?.date}</small></h2>
          {days.filter(one => one.follows !== null).map(one => <Alert key={one.date} type="info" showIcon title={`${one.date}按${one.follows ?? ''}（${weekday_names[dayjs(one.follows).day() || days_of_week] ?? ''}）课表上课`} />)}
          {lines.length === 0 ? <Empty description="本周没有课" /> : (
            <WeekGrid
              label={`${target_name}课表`} lines={lines.map(({ section, ...line }): WeekLine => ({ key: String(section), ...line }))} weekdays={shownDays(days, lessons)}
              renderDay={weekday => dayText(days.find(one => one.weekday === weekday))}
              renderCell={(line, weekday) => <Lessons lessons={lessons.filter(one => one.weekday === weekday && inLine(one, line))}
                view={view} is_own={onDrop !== undefined} />}
              titleOf={(line, weekday) => `${weekday_names[weekday] ?? ''}${line.name} ${lessons.filter(one => one.weekday === weekday && inLine(one, line)).map(one => lessonText(one, view)).join('、') || '无课'}`}
              toneOf={(_line, weekday) => (days.find(one => one.weekday === weekday)?.is_school_day === false ? 'day-off' : undefined)}
            />
          )}
        </section>
      )}
    </Loaded>
  )
}

function PlanTable({ view, target_id, day }: TableProps): ReactNode {
  const query = useCall(lessonApi.plan, { view, target_id, date: day }, { keep: true })
  return (
    <Loaded query={query} rows={10}>
      {({ target_name, version_name, valid_from, lines, weekdays, lessons }) => (
        <section className="lesson-sheet">
          <h2>{target_name}课表<small>{version_name === null ? '' : `${version_name} ${valid_from ?? ''}起`}</small></h2>
          {lessons.length === 0 ? <Empty description="该日期没有生效的课表：请在课表管理中发布" /> : (
            <WeekGrid
              label={`${target_name}学期课表`} lines={lines.map(({ section, ...line }): WeekLine => ({ key: String(section), ...line }))} weekdays={weekdays}
              renderCell={(line, weekday) => <Lessons lessons={lessons.filter(one => one.weekday === weekday && inLine(one, line))} view={view} />}
              titleOf={(line, weekday) => `${weekday_names[weekday] ?? ''}${line.name} ${lessons.filter(one => one.weekday === weekday && inLine(one, line)).map(one => lessonText(one, view)).join('、') || '无课'}`}
            />
          )}
        </section>
      )}
    </Loaded>
  )
}

type Shown = DayLesson | PlanLesson

function inLine({ section, span }: { section: number | null; span: number }, { key }: WeekLine): boolean {
  return section !== null && section <= Number(key) && Number(key) < section + span
}

function shownDays(days: readonly WeekDay[], lessons: readonly DayLesson[]): number[] {
  return days.filter(day => workdays.includes(day.weekday) || day.is_school_day || lessons.some(one => one.weekday === day.weekday)).map(day => day.weekday)
}

function dayText(day: WeekDay | undefined): string {
  return day ? `${day.date.slice(5)}${day.label === '' ? '' : ` ${day.label.split('、')[0] ?? ''}`}` : ''
}

function lessonText(lesson: Shown, view: View): string {
  const people = lesson.teachers.map(one => one.user_name).join('、')
  return [lesson.course_name, view === 'class' ? '' : lesson.class_name, view === 'teacher' ? '' : people, view === 'place' ? '' : (lesson.place_name ?? '')].filter(Boolean).join(' ')
}

function Lessons({ lessons, view, is_own = false }: { lessons: readonly Shown[]; view: View; is_own?: boolean }): ReactNode {
  return lessons.map(one => (
    <span key={'id' in one ? one.id : one.lesson_day_id} className="lesson-cell" style={{ borderLeftColor: one.color }}
      {...(is_own && 'state' in one && one.state === 1 ? dragOf(one.lesson_day_id) : {})}>
      <b>{one.course_name}{'week_name' in one && one.week_name !== '每周' && <Tag>{one.week_name}</Tag>}{'state' in one && one.state !== 1 && <Tag color="orange">{stateName(one.state)}</Tag>}</b>
      <small>{[view === 'class' ? '' : one.class_name, view === 'teacher' ? '' : one.teachers.map(teacher => teacher.user_name).join('、') || '未安排教师'].filter(Boolean).join(' ')}</small>
      {view !== 'place' && one.place_name !== null && <small>{one.place_name}</small>}
    </span>
  ))
}

const dragOf = (id: string) => ({ draggable: true, role: 'presentation',
  onDragStart: (event: DragEvent) => event.dataTransfer.setData('text/plain', id) })

const states: Readonly<Record<number, string>> = lesson_states
const stateName = (state: number): string => states[state] ?? ''

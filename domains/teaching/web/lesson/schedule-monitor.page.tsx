import { changeApi, lessonApi, lessonChannel } from '@campus/teaching/contract'
import type { DayLesson, PlaceNow } from '@campus/teaching/contract'
import type { Reply } from '@kit/contract'
import { instantText, PageFrame, PageTabs, schoolToday, useCan, useChannel, usePage } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Loaded, useCall } from '@kit/web/part'
import { Button, DatePicker, Empty, Segmented, Select, Table, Tag, TimePicker } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import '../teaching.css'

type NowReply = Reply<typeof lessonApi.now>
type Free = NowReply['free'][number]
const [wall, free, open_lessons] = ['现在上课', '空闲场所', '无教师'] as const

const Needs = lazy(() => import('../cover/cover-tabs.tsx').then(part => ({ default: part.Needs })))
const Orders = lazy(() => import('../cover/cover-tabs.tsx').then(part => ({ default: part.Orders })))
const Ledger = lazy(() => import('../cover/cover-tabs.tsx').then(part => ({ default: part.Ledger })))
const tabs = [{ key: 'now', label: '现在' }, { key: 'need', label: '待安排' }, { key: 'change', label: '调课代课' },
  { key: 'ledger', label: '代课统计' }] as const
type Tab = (typeof tabs)[number]['key']

/** 课表总览: what runs now, what absences leave open, the changes of dated lessons and the covers of each teacher (chapter 50 §5). */
export default function ScheduleMonitor(): ReactNode {
  const { search, setSearch } = usePage()
  const may = useCan(changeApi.needs)
  const shown = may ? tabs : tabs.slice(0, 1)
  const tab: Tab = shown.find(one => one.key === search.tab)?.key ?? 'now'
  const head = <PageTabs tabs={shown} value={tab} onChange={key => setSearch({ tab: key })} />
  const views: Readonly<Record<Tab, ReactNode>> = { now: <Now head={head} />, need: <Needs head={head} />, change: <Orders
    head={head} />, ledger: <Ledger head={head} /> }
  return <Suspense fallback={head}>{views[tab]}</Suspense>
}

/** 现在: every teaching room with its lesson now and the next one, free rooms, lessons without a teacher (chapter 50 §5). */
function Now({ head }: { head: ReactNode }): ReactNode {
  const [at, goTo] = useState<string>()
  const [view, show] = useState<string>(wall)
  const [building, choose] = useState<string>()
  const query = useCall(lessonApi.now, at === undefined ? {} : { at }, { keep: true })
  const again = () => void query.refetch()
  useChannel(lessonChannel, again, { onGap: again })
  const shown = dayjs(at ?? query.data?.at)
  const turn = (date: string, time: string) => goTo(`${date}T${time}:00+08:00`)
  return (
    <div className="teaching-page" data-ready={query.error ? 'failed' : query.data ? 'monitor' : undefined}>
      <PageFrame actions={<Button onClick={() => { goTo(undefined); void query.refetch() }}>回到现在</Button>} />
      {head}
      <div className="teaching-head">
        <DatePicker allowClear={false} aria-label="日期" value={shown} onChange={next => turn(next?.format('YYYY-MM-DD') ?? schoolToday(), shown.format('HH:mm'))} />
        <TimePicker allowClear={false} format="HH:mm" minuteStep={5} aria-label="时间" value={shown} onChange={next => turn(shown.format('YYYY-MM-DD'), next?.format('HH:mm') ?? '08:00')} />
        <Segmented options={[wall, free, open_lessons]} value={view} onChange={show} />
        <Select className="teaching-term" aria-label="楼栋" allowClear placeholder="全部楼栋" value={building} onChange={choose} options={buildingsOf(query.data)} />
        {query.data && <span className="teaching-summary">正在上课 <b className="kit-number">{query.data.running}</b> 间，当天共 <b className="kit-number">{query.data.today}</b> 节{query.data.without_teacher.length > 0 && <Tag color="red">无教师 {query.data.without_teacher.length}</Tag>}</span>}
      </div>
      <Loaded query={query} rows={10}>
        {data => (view === wall ? <Wall places={data.places.filter(one => building === undefined || one.building === building)} today={data.today} /> : view === free ? <FreeTable rows={data.free.filter(one => building === undefined || one.building === building)} /> : <OpenTable rows={data.without_teacher} />)}
      </Loaded>
    </div>
  )
}

function buildingsOf(data: NowReply | undefined): { value: string; label: string }[] {
  return [...new Set([...(data?.places ?? []), ...(data?.free ?? [])].map(one => one.building))].map(value => ({ value, label: value || '其他' }))
}

function Wall({ places, today }: { places: readonly PlaceNow[]; today: number }): ReactNode {
  if (places.length === 0) return <Empty description={today === 0 ? '当天没有课' : '此刻之后没有课'} />
  return <div className="lesson-wall">{places.map(one => <PlaceCard key={one.place_id} of={one} />)}</div>
}

function PlaceCard({ of: { place_name, building, lesson, minutes_left, next } }: { of: PlaceNow }): ReactNode {
  const state = lesson === null ? 'free' : lesson.teachers.length === 0 ? 'open' : 'busy'
  return (
    <section className="lesson-place" data-state={state} style={lesson ? { borderTopColor: lesson.color } : undefined}>
      <h2>{place_name}<small>{building}</small></h2>
      {lesson ? <p><b>{lesson.course_name}</b> {lesson.class_name}<br />{teachersOf(lesson)} <Tag color="blue">剩{minutes_left}分钟</Tag></p> : <p>空闲</p>}
      <small>{next ? `下一节 ${instantText(next.begin_at).slice(11, 16)} ${next.course_name} ${next.class_name}` : '之后没有课'}</small>
    </section>
  )
}

function teachersOf({ teachers }: DayLesson): string {
  return teachers.map(one => one.user_name).join('、') || '未安排教师'
}

function FreeTable({ rows }: { rows: readonly Free[] }): ReactNode {
  const columns = [
    { key: 'building', title: '楼栋', width: 200, dataIndex: 'building' },
    { key: 'place', title: '场所', width: 240, dataIndex: 'place_name' },
    { key: 'until', title: '空闲至', render: (_: unknown, row: Free) => (row.until === null ? '当天结束' : instantText(row.until).slice(11, 16)) },
  ]
  return <Table<Free> size="small" rowKey="place_id" columns={columns} dataSource={[...rows]} pagination={{ pageSize: 50, showSizeChanger: false }} scroll={{ y: 'calc(100vh - 340px)' }} locale={{ emptyText: '此刻没有空闲场所' }} />
}

function OpenTable({ rows }: { rows: readonly DayLesson[] }): ReactNode {
  const columns = [
    { key: 'time', title: '时间', width: 140, render: (_: unknown, row: DayLesson) => `${instantText(row.begin_at).slice(11, 16)}–${instantText(row.end_at).slice(11, 16)}` },
    { key: 'class', title: '班级', width: 160, dataIndex: 'class_name' },
    { key: 'course', title: '课程', width: 160, dataIndex: 'course_name' },
    { key: 'place', title: '场所', dataIndex: 'place_name' },
  ]
  return <Table<DayLesson> size="small" rowKey="lesson_day_id" columns={columns} dataSource={[...rows]} pagination={{ pageSize: 50, showSizeChanger: false }} locale={{ emptyText: '当天剩余的课都已安排教师' }} />
}

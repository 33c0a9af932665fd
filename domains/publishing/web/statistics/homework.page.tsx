import { checkinApi, checkinList, checkinReport, homeworkApi, homeworkList, homeworkReport } from '@campus/publishing/contract'
import type { HomeworkRow } from '@campus/publishing/contract'
import type { Reply } from '@kit/contract'
import { fieldsOf, Filters, ListPage, PageTabs, schoolToday, Table, usePage, useResourceList } from '@kit/web'
import type { ChartData } from '@kit/web/chart'
import { PaintGrid } from '@kit/web/grid'
import type { GridLine } from '@kit/web/grid'
import { Loaded, useCall } from '@kit/web/part'
import { ReportPage, useReport } from '@kit/web/report'
import type { ReportRow } from '@kit/web/report'
import { Link } from '@tanstack/react-router'
import { Button, Checkbox, DatePicker, Tag } from 'antd'
import { dayjs } from '@kit/web/day'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { AnsweredList, AnsweredReport } from './answers.tsx'
import './statistics.css'

const tabs = [
  { key: 'load', label: '时长' },
  { key: 'report', label: '提交' },
  { key: 'list', label: '布置记录' },
  { key: 'checkin', label: '打卡' },
  { key: 'checkin-report', label: '打卡统计' },
] as const
const checkins = { api: checkinApi, list: checkinList, report: checkinReport, word: '打卡' } as const
const week = 7
const weekday_names = ['周一', '周二', '周三', '周四', '周五', '周六', '周日']

/** 作业统计: minutes of each class and day against its limit, what was handed in, what went over, and check-ins (chapter 60 §5). */
export default function HomeWork(): ReactNode {
  const { search, setSearch } = usePage()
  const tab = tabs.find(one => one.key === search.tab)?.key ?? 'load'
  const head = <PageTabs tabs={tabs} value={tab} onChange={key => setSearch({ tab: key })} />
  if (tab === 'list') return <Records head={head} />
  if (tab === 'checkin') return <AnsweredList of={checkins} head={head} />
  return (
    <div className="stat-page">
      {head}
      {tab === 'load' ? <Load /> : tab === 'report' ? <Handed /> : <AnsweredReport of={checkins} />}
    </div>
  )
}

function Load(): ReactNode {
  const { search, setSearch } = usePage()
  const [only_over, setOnlyOver] = useState(false)
  const shown = dayjs(search.date ?? schoolToday())
  const monday = shown.subtract((shown.day() + week - 1) % week, 'day')
  const asked = { begin_date: monday.format('YYYY-MM-DD'), end_date: monday.add(week - 1, 'day').format('YYYY-MM-DD') }
  const query = useCall(homeworkApi.load, asked, { keep: true })
  const go = (day: dayjs.Dayjs | null) => day && setSearch({ ...search, date: day.format('YYYY-MM-DD') })
  return (
    <div className="stat-load" data-ready={query.data ? 'page' : query.error ? 'failed' : undefined}>
      <div className="stat-bar">
        <Button onClick={() => go(monday.subtract(week, 'day'))}>上一周</Button>
        <DatePicker aria-label="所在周" picker="week" allowClear={false} value={monday} onChange={go} />
        <Button onClick={() => go(monday.add(week, 'day'))}>下一周</Button>
        <Checkbox checked={only_over} onChange={event => setOnlyOver(event.target.checked)}>
          只看超过上限的班级
        </Checkbox>
        <span>
          <Tag color="green">上限以内</Tag>
          <Tag color="orange">达到八成</Tag>
          <Tag color="red">超过上限</Tag>
        </span>
      </div>
      <Loaded query={query}>{load => <LoadGrid load={load} only_over={only_over} />}</Loaded>
    </div>
  )
}

type LoadReply = Reply<typeof homeworkApi.load>
type Row = GridLine & { limit: number | null; minutes: readonly number[] }
type Column = GridLine & { at: number }
const near = 0.8

function LoadGrid({ load, only_over }: { load: LoadReply; only_over: boolean }): ReactNode {
  const rows = load.classes.map((one): Row => ({
    key: one.dept_id,
    label: <LimitHead name={one.dept_name} limit={one.limit} />,
    title: one.dept_name,
    ...one,
  }))
  const chosen = only_over ? rows.filter(row => row.minutes.some(minutes => toneOf(row, minutes) === 'over')) : rows
  const columns = load.days.map((day, at): Column => ({
    key: day,
    at,
    label: (
      <>
        {weekday_names[at]}
        <small>{day.slice(5)}</small>
      </>
    ),
  }))
  const minutesOf = (row: Row, column: Column) => row.minutes[column.at] ?? 0
  if (chosen.length === 0) return <p className="pub-hint">{only_over ? '这一周没有班级超过上限' : '没有可以查看的班级'}</p>
  return (
    <PaintGrid
      label="每日作业时长"
      corner="班级（上限）"
      rows={chosen}
      columns={columns}
      keyOf={(row, column) => `${row.key}/${column.key}`}
      renderCell={(row, column) => (minutesOf(row, column) === 0 ? '' : `${minutesOf(row, column)}分钟`)}
      titleOf={(row, column) => `${row.title} ${column.key} ${minutesOf(row, column)}分钟`}
      toneOf={(row, column) => toneOf(row, minutesOf(row, column))}
    />
  )
}

function LimitHead({ name, limit }: { name: string; limit: number | null }): ReactNode {
  return (
    <>
      {name}
      <small>{limit === null ? '不限' : limit === 0 ? '不布置书面作业' : `${limit}分钟`}</small>
    </>
  )
}

function toneOf({ limit }: Row, minutes: number): string | undefined {
  if (minutes === 0 || limit === null) return undefined
  if (minutes > limit) return 'over'
  return minutes >= limit * near ? 'near' : 'fine'
}

function Handed(): ReactNode {
  const of = useReport(homeworkReport, homeworkApi.report)
  return <ReportPage of={of} chart={chartOf} exportCall={homeworkApi.export} empty="这段时间没有布置作业" />
}

function chartOf(rows: readonly ReportRow[]): ChartData {
  const values = (name: string) => rows.map(row => Number(row[name] ?? 0))
  return {
    kind: 'bar',
    categories: rows.map(row => String(row['dept_name'] ?? '')),
    series: [
      { name: '应交', values: values('expected') },
      { name: '已交', values: values('submitted') },
    ],
  }
}

const fields = fieldsOf(homeworkList, {
  title: { default_action: true, cell: row => <TitleLink row={row} /> },
  over_by: { cell: row => (row.over_by > 0 ? <Tag color="red">{row.over_by}</Tag> : '') },
})

function TitleLink({ row }: { row: HomeworkRow }): ReactNode {
  return (
    <Link className="kit-link" to="/CustomDetail" search={{ id: row.post_id }}>
      {row.title}
    </Link>
  )
}

function Records({ head }: { head: ReactNode }): ReactNode {
  const list = useResourceList(homeworkApi.list, fields, { part: 'list' })
  return (
    <ListPage of={list} head={head} filters={<Filters of={list} show={['keyword', 'over']} />}>
      <Table
        of={list}
        show={['title', 'subject', 'dept_name', 'day', 'minutes', 'day_minutes', 'over_by', 'override_reason', 'author_name']}
        more={['sent_at']}
        empty="还没有布置作业：在“新建通知”中选择类型“作业”"
      />
    </ListPage>
  )
}

import { addDays, mondayOf, specialApi, weekKindOf, weekOf, whole_school } from '@campus/calendar/contract'
import type { SchoolDay, Semester } from '@campus/calendar/contract'
import { call, Can, ImportButton, Loading, schoolToday, sentenceOf, toast, useCan, useDictionary, usePage } from '@kit/web'
import { CalendarGrid } from '@kit/web/grid'
import { Alert, Button, Dropdown, Empty, Select } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useCalendarChanged } from '../use-changed.ts'
import { dayText, kindName, weekday_names, weekKindName } from '../words.ts'
import { DayPanel } from './day-panel.tsx'
import { FollowArrows } from './follow-arrows.tsx'
import type { Opened } from './opened.ts'
import { useDays, useTerms } from './use-days.ts'
import '../calendar.css'

const SpecialDialog = lazy(() => import('./special-dialog.tsx').then(part => ({ default: part.SpecialDialog })))
const FollowDialog = lazy(() => import('./follow-dialog.tsx').then(part => ({ default: part.FollowDialog })))
const NationalDialog = lazy(() => import('./national-dialog.tsx').then(part => ({ default: part.NationalDialog })))

/** 校历管理: a term as weeks; days are painted and set, a make-up day points at the day whose lessons it runs. */
export default function SchoolCalendar(): ReactNode {
  const { search, setSearch } = usePage()
  const terms = useTerms()
  const term = chosenTerm(terms.data ?? [], Number(search['semester_id']))
  const grade = search['grade'] ?? whole_school
  const span = term ? spanOf(term) : null
  const query = useDays(span, grade)
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const [opened, open] = useState<Opened>(null)
  const [following, follow] = useState<string | null>(null)
  const board = useRef<HTMLDivElement>(null)
  const may_edit = useCan(specialApi.add)
  const days = query.data?.days ?? new Map<string, SchoolDay>()
  const failed = terms.error ?? query.error
  const paint = (keys: string[]) => {
    const [followed] = keys
    select(new Set(keys))
    if (following === null || followed === undefined || followed === following) return
    open({ view: 'follow', date: following, follows_date: followed })
    follow(null)
  }
  const press = (key: string, day: string) => {
    if (key === 'Escape' && following !== null) follow(null)
    else if (key.toLowerCase() === 'm' && may_edit && days.get(day)?.day_kind === 3) follow(day)
    else return false
    return true
  }
  const close = () => open(null)
  return (
    <div className="calendar-page" data-ready={failed ? 'failed' : terms.data && (!term || query.data) ? 'calendar' : undefined}>
      <header className="calendar-head">
        <Select aria-label="学期" className="calendar-term" value={term?.id ?? null} placeholder="请选择学期" options={(terms.data ?? []).map(({ id, name }) => ({ value: id, label: name }))} onChange={id => setSearch({ ...search, semester_id: String(id) })} />
        <GradeSelect value={grade} choose={next => setSearch({ ...search, grade: next })} />
        <Acts open={open} />
      </header>
      {failed && <Alert type="error" showIcon title={sentenceOf(failed)} action={<Button onClick={() => void Promise.all([terms.refetch(), query.refetch()])}>重试</Button>} />}
      {following !== null && <Alert className="kit-no-print" type="info" showIcon title={`请点击${dayText(following)}要补课的那一天`} action={<Button size="small" onClick={() => follow(null)}>取消</Button>} />}
      {terms.data?.length === 0 && <Empty description="还没有学期，请先到“学期管理”新增学期" />}
      {term && span && (
        <div className="calendar-body">
          <div className="calendar-board" ref={board} data-following={following !== null || undefined}>
            {query.data ? (
              <CalendarGrid
                label={`${term.name}校历`} from={span.from} to={span.to} selected={selected} onPaint={paint} onKey={press}
                onOpen={day => may_edit && following === null && open({ view: 'new', from: day, to: day })}
                renderWeek={monday => <WeekHead term={term} monday={monday} />} toneOf={day => toneOf(days.get(day))} titleOf={day => titleOf(day, days.get(day))}
                renderCell={day => <DayCell date={day} day={days.get(day)} />}
              />
            ) : <Loading rows={10} />}
            <FollowArrows board={board} days={days} />
          </div>
          <DayPanel term={term} days={days} specials={query.data?.specials ?? []} selected={selected} may_edit={may_edit} open={open} follow={follow} />
        </div>
      )}
      <Suspense>
        {(opened?.view === 'new' || opened?.view === 'edit') && <SpecialDialog opened={opened} grade={grade} onClose={close} />}
        {opened?.view === 'follow' && <FollowDialog date={opened.date} follows_date={opened.follows_date} onClose={close} />}
        {opened?.view === 'national' && <NationalDialog year={Number((span?.from ?? schoolToday()).slice(0, 4))} onClose={close} />}
      </Suspense>
    </div>
  )
}

function Acts({ open }: { open: (next: Opened) => void }): ReactNode {
  const changed = useCalendarChanged()
  const subscribe = async () => {
    const { path } = await call(specialApi.feed, {})
    await navigator.clipboard.writeText(`${location.origin}${path}`).then(() => toast.success('订阅地址已复制，原地址不再有效'), () => toast.info(`${location.origin}${path}`))
  }
  return (
    <div className="calendar-acts kit-no-print">
      <ImportButton code="calendar.day.import" template="calendar_special" title="校历导入" label="导入" unit="条" onApplied={() => void changed()} />
      <Can code={specialApi.national}><Button onClick={() => open({ view: 'national' })}>导入法定节假日</Button></Can>
      <Dropdown trigger={['click']} menu={{ items: [{ key: 'print', label: '打印', onClick: () => window.print() }, { key: 'ics', label: '复制订阅地址', onClick: () => void subscribe() }] }}><Button>更多</Button></Dropdown>
      <Can code={specialApi.add}><Button type="primary" onClick={() => open({ view: 'new', from: schoolToday(), to: schoolToday() })}>设置日期</Button></Can>
    </div>
  )
}

function GradeSelect({ value, choose }: { value: string; choose: (grade: string) => void }): ReactNode {
  const grades = useDictionary('GRADE')
  return <Select aria-label="年级" className="calendar-grade" value={value} options={[{ value: whole_school, label: '全校' }, ...grades]} onChange={choose} />
}

function WeekHead({ term, monday }: { term: Semester; monday: string }): ReactNode {
  const week_no = weekOf(monday, term.begin_date)
  return week_no < 1 || monday > term.end_date ? <small>{dayText(monday)}</small> : <>第{week_no}周<small>{weekKindName(weekKindOf(week_no, term.odd_first))}</small></>
}

/** The number of the day, what it is, and for a make-up day what it follows. */
function DayCell({ date, day }: { date: string; day: SchoolDay | undefined }): ReactNode {
  const is_plain = day === undefined || day.day_kind === 8 || day.day_kind === 4
  return (
    <span className="calendar-day" data-today={date === schoolToday() || undefined}>
      <b>{date.endsWith('-01') ? dayText(date) : Number(date.slice(8))}</b>
      <span>{day && (day.label || (is_plain ? '' : kindName(day.day_kind)))}</span>
      {day?.day_kind === 3 && <small data-unset={day.plan_weekday === null || undefined}>{followText(day)}</small>}
    </span>
  )
}

function followText({ plan_date, plan_weekday }: SchoolDay): string {
  if (plan_date !== null) return `→ ${dayText(plan_date)} ${weekday_names[plan_weekday ?? 0]}`
  return plan_weekday === null ? '未指定' : `→ ${weekday_names[plan_weekday]}课表`
}

function toneOf(day: SchoolDay | undefined): string | undefined {
  return day && `kind-${day.day_kind}`
}

function titleOf(date: string, day: SchoolDay | undefined): string {
  const parts = day ? [kindName(day.day_kind), day.label, day.day_kind === 3 ? followText(day) : ''] : []
  return [dayText(date), ...parts.filter(Boolean)].join('，')
}

/** The asked term, else the one of today, else the next, else the last. */
function chosenTerm(terms: readonly Semester[], asked: number): Semester | undefined {
  const today = schoolToday()
  return terms.find(({ id }) => id === asked) ?? terms.find(({ state }) => state === 'running') ?? terms.findLast(({ begin_date }) => begin_date > today) ?? terms[0]
}

/** Whole weeks, and the make-up days right before a term. */
function spanOf({ begin_date, end_date }: Semester): { from: string; to: string } {
  return { from: mondayOf(begin_date), to: addDays(mondayOf(end_date), 6) }
}

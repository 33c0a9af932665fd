import { door_mode_names, rule_kinds, ruleApi } from '@campus/devices/contract'
import type { RuleThen } from '@campus/devices/contract'
import type { Reply } from '@kit/contract'
import { call, dictionaryName, instantText, Loading, sentenceOf } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, DatePicker, Empty, Tag } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { RuleKind } from './rule-words.ts'
import { weekday_names } from './week.ts'
import './rule.css'

type Kind = Reply<typeof ruleApi.live_at>['list'][number]
const mode_names = { ...door_mode_names, off: '关机', sleep: '休眠' } as const
const mode_colors = { normal: 'blue', always_open: 'green', always_closed: 'orange', off: 'default', sleep: 'default' } as const
/** What a device does while no rule says anything. */
const otherwise = { 1: '按人员权限', 2: '开机', 3: '亮屏' } as const

/** 规则: what a device went by at a minute, and what it had been promised and did not hold yet (chapter 30 §10.4). */
export function RulesThen({ device_id }: { device_id: string }): ReactNode {
  const [at, setAt] = useState<Dayjs | null>(null)
  const asked = at === null ? {} : { at: at.startOf('minute').toISOString() }
  const query = useQuery({ queryKey: [ruleApi.live_at.call, device_id, asked], queryFn: ({ signal }) => call(ruleApi.live_at, { id: device_id, ...asked }, { signal, quiet: true }), placeholderData: keepPreviousData })
  const { data } = query
  return (
    <div className="device-rows">
      <div className="device-rows-bar">
        <DatePicker className="rule-moment" showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" value={at} placeholder="现在，选择时间查看当时" aria-label="查看时间" disabledDate={day => day.isAfter(dayjs(), 'day')} onChange={setAt} />
        {at === null ? null : <Button onClick={() => setAt(null)}>回到现在</Button>}
        <Button loading={query.isFetching && data !== undefined} onClick={() => void query.refetch()}>刷新</Button>
      </div>
      {query.isPending && <Loading rows={4} />}
      {query.error && (at?.isAfter(dayjs())
        ? <Alert type="warning" showIcon title={sentenceOf(query.error)} />
        : <Alert type="error" showIcon title={sentenceOf(query.error)} action={<Button onClick={() => void query.refetch()}>重试</Button>} />)}
      {data && !query.error && <Then told={data} />}
    </div>
  )
}

function Then({ told: { at, since, list } }: { told: Reply<typeof ruleApi.live_at> }): ReactNode {
  if (since === null) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="这台设备还没有收到过规则" />
  const is_before = Date.parse(at) < Date.parse(since)
  if (is_before) return <Alert type="info" showIcon title={`${instantText(since)}起有记录，更早的规则没有留存`} />
  if (list.every(({ live, promised }) => live === null && promised === null)) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`${instantText(at)}没有任何规则`} />
  return list.map(one => <OfKind key={one.rule_kind} one={one} at={at} />)
}

function OfKind({ one: { rule_kind, live, promised }, at }: { one: Kind; at: string }): ReactNode {
  return (
    <section aria-label={rule_kinds[rule_kind]}>
      <h3>{rule_kinds[rule_kind]}</h3>
      <p>
        {`${instantText(at)} 实际：`}
        <Tag color={live?.now ? mode_colors[live.now] : 'default'}>{live?.now ? mode_names[live.now] : otherwise[rule_kind]}</Tag>
        {live === null && <span className="device-quiet">设备上没有生效的规则</span>}
      </p>
      {live && <Week title={`生效的规则：${live.rule_names.join('、')}（设备于${instantText(live.applied_at ?? live.told_at)}确认）`} days={live.days} rule_kind={rule_kind} at={at} />}
      {promised && <Promised promised={promised} rule_kind={rule_kind} at={at} />}
    </section>
  )
}

/** What the device had been told by then, and did not hold. */
function Promised({ promised, rule_kind, at }: { promised: RuleThen; rule_kind: RuleKind; at: string }): ReactNode {
  const later = promised.applied_at === null ? '至今没有生效' : `到${instantText(promised.applied_at)}才生效`
  const what = promised.days.length === 0 ? '取消全部规则' : promised.rule_names.join('、')
  return (
    <>
      <Alert type="warning" showIcon title={`已安排、当时还没有生效：${what}`} description={`${instantText(promised.told_at)}安排，${later}。`} />
      {promised.days.length > 0 && <Week title="安排的一周" days={promised.days} rule_kind={rule_kind} at={at} />}
    </>
  )
}

function Week({ title, days, rule_kind, at }: { title: string; days: RuleThen['days']; rule_kind: RuleKind; at: string }): ReactNode {
  const today = instantText(at).slice(0, 10)
  return (
    <table className="rule-then">
      <caption>{title}</caption>
      <tbody>
        {days.map(({ date, windows }, day) => (
          <tr key={date} aria-current={date === today ? 'date' : undefined}>
            <th scope="row">{`周${weekday_names[day] ?? ''} ${date.slice(5)}`}</th>
            <td>{windows.length === 0 ? <span className="device-quiet">{`全天${otherwise[rule_kind]}`}</span> : windows.map(window => <Tag key={window.from} color={mode_colors[window.mode]}>{textOf(window)}</Tag>)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A time of a day and what is then; ways of verification where not every way will do. */
function textOf({ from, to, mode, verify }: RuleThen['days'][number]['windows'][number]): string {
  const ways = verify.length === 0 ? '' : `，只认${verify.map(way => dictionaryName('VERIFY_MODE', String(way))).join('、')}`
  return `${from}-${to} ${mode_names[mode]}${ways}`
}

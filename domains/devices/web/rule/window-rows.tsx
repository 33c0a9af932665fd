import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { door_mode_names } from '@campus/devices/contract'
import type { DoorWindow } from '@campus/devices/contract'
import { useDictionary } from '@kit/web'
import { Button, Checkbox, Input, Select } from 'antd'
import type { ReactNode } from 'react'
import type { RuleKind } from './rule-words.ts'
import { readClock, weekday_names } from './week.ts'
import type { WeekWindow } from './week.ts'

const modes = (['normal', 'always_open', 'always_closed'] as const).map(value => ({ value, label: door_mode_names[value] }))
const most_verify = 7
const next: WeekWindow = { weekdays: weekday_names.map((_, day) => day < 5), begin: '22:00', end: '06:00' }
type Props = { kind: RuleKind; windows: readonly WeekWindow[]; faults: ReadonlyMap<number, string>; change: (windows: WeekWindow[]) => void }

/** The same times as rows to type into: weekdays, from, to and, of doors, how they stand then. An end before its beginning is on the next day. */
export function WindowRows({ kind, windows, faults, change }: Props): ReactNode {
  const verify = useDictionary('VERIFY_MODE').filter(entry => Number(entry.value) <= most_verify).map(({ value, label }) => ({ value: Number(value), label }))
  const put = (at: number, patch: Partial<WeekWindow>) => change(windows.map((window, n) => (n === at ? { ...window, ...patch } : window)))
  const add = () => change([...windows, kind === 1 ? { ...next, mode: 'always_closed' satisfies DoorWindow['mode'], verify: [] } : next])
  return (
    <div className="rule-rows">
      {windows.map((window, at) => (
        <div className="rule-row" role="group" aria-label={`时段${at + 1}`} key={at}>
          <span className="rule-weekdays">
            {weekday_names.map((name, day) => <Checkbox key={name} aria-label={`时段${at + 1} 周${name}`} checked={window.weekdays[day] ?? false} onChange={event => put(at, { weekdays: window.weekdays.map((is_on, n) => (n === day ? event.target.checked : is_on)) })}>{name}</Checkbox>)}
          </span>
          <Input className="rule-clock" aria-label={`时段${at + 1} 开始`} value={window.begin} maxLength={5} onChange={event => put(at, { begin: event.target.value })} onBlur={event => put(at, { begin: readClock(event.target.value) })} />
          <span>至</span>
          <Input className="rule-clock" aria-label={`时段${at + 1} 结束`} value={window.end} maxLength={5} onChange={event => put(at, { end: event.target.value })} onBlur={event => put(at, { end: readClock(event.target.value) })} />
          {kind === 1 && <Select className="rule-mode" aria-label={`时段${at + 1} 方式`} options={modes} value={window.mode ?? 'normal'} onChange={(mode: DoorWindow['mode']) => put(at, { mode })} />}
          {kind === 1 && window.mode === 'normal' && <Select mode="multiple" className="rule-verify" aria-label={`时段${at + 1} 核验方式`} placeholder="不限核验方式" options={verify} value={window.verify ?? []} onChange={(chosen: number[]) => put(at, { verify: chosen })} />}
          {window.end !== '' && window.end < window.begin && <small>次日</small>}
          <Button type="text" icon={<DeleteOutlined aria-hidden />} aria-label={`删除时段${at + 1}`} onClick={() => change(windows.filter((_, n) => n !== at))} />
          {faults.has(at) && <p className="rule-fault" role="alert">{faults.get(at)}</p>}
        </div>
      ))}
      <Button icon={<PlusOutlined aria-hidden />} onClick={add}>添加时段</Button>
    </div>
  )
}

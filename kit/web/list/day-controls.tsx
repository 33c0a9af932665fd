import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import type { FilterProps } from './filter-controls.tsx'

const FORMAT = 'YYYY-MM-DD'

/** Picks one day. */
export function DayInput({ id, values, change, name }: FilterProps & { name: string }): ReactNode {
  return <DatePicker id={id} className="kit-fill" autoFocus defaultOpen value={dayOf(values[name])} onChange={(day) => change({ [name]: day?.format(FORMAT) })} />
}

/** Picks the first and the last day. */
export function DaysInput({ id, values, change, from, to }: FilterProps & { from: string; to: string }): ReactNode {
  return (
    <DatePicker.RangePicker
      id={{ start: id, end: `${id}-end` }}
      className="kit-fill"
      autoFocus
      defaultOpen
      value={[dayOf(values[from]), dayOf(values[to])]}
      onChange={(days) => change({ [from]: days?.[0]?.format(FORMAT), [to]: days?.[1]?.format(FORMAT) })}
    />
  )
}

function dayOf(text: string | undefined): dayjs.Dayjs | null {
  return text ? dayjs(text) : null
}

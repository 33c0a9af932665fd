import { DatePicker } from 'antd'
import { dayjs } from '../day/index.ts'
import type { ReactNode } from 'react'
import type { FilterProps } from './filter-control.ts'

const FORMAT = 'YYYY-MM-DD'

/** Picks one day. */
export function DayInput({ id, values, change, name }: FilterProps & { name: string }): ReactNode {
  return <DatePicker id={id} ref={focusIt} className="kit-fill" defaultOpen value={dayOf(values[name])} onChange={(day) => change({ [name]: day?.format(FORMAT) })} />
}

/** Picks the first and the last day. */
export function DaysInput({ id, values, change, from, to }: FilterProps & { from: string; to: string }): ReactNode {
  return (
    <DatePicker.RangePicker
      id={{ start: id, end: `${id}-end` }}
      ref={focusIt}
      className="kit-fill"
      defaultOpen
      value={[dayOf(values[from]), dayOf(values[to])]}
      onChange={(days) => change({ [from]: days?.[0]?.format(FORMAT), [to]: days?.[1]?.format(FORMAT) })}
    />
  )
}

// The picker takes the place of the field that was entered, so it takes the focus over.
function focusIt(picker: { focus: () => void } | null): void {
  picker?.focus()
}

function dayOf(text: string | undefined): dayjs.Dayjs | null {
  return text ? dayjs(text) : null
}

import type { Call, List } from '@kit/contract'
import type { ReactNode } from 'react'
import { saveFile } from '../call/download.ts'
import type { PageSearch } from '../page/page-context.ts'
import { ExportButton } from './export-button.tsx'

/** More people than this are exported for a reason (decision 26). */
const reason_above = 1000

type Props = {
  /** the list on the screen: its total and its filters are those of the sheet */
  of: { total: number; is_bounded?: boolean; values: PageSearch }
  fact: Pick<List, 'title' | 'unit' | 'filters' | 'is_about_people'>
  call: Call
  /** filters that are not the user's, as of the list */
  fixed?: PageSearch
  label?: string
}

/** 导出 of a list: says how many rows it will be, asks for a reason where many people are in it, and saves what the filters show. */
export function ListExport({ of, fact, call, fixed = {}, label }: Props): ReactNode {
  const asked = Object.fromEntries(Object.entries({ ...of.values, ...fixed }).filter(([name]) => fact.filters[name] !== undefined))
  const of_people = fact.is_about_people ? { kept: '24 小时', reason_above } : {}
  return (
    <ExportButton
      code={call} label={label} title={`导出${fact.title}`} unit={fact.unit} total={of.total} is_bounded={of.is_bounded} {...of_people}
      run={reason => saveFile(call, { ...asked, ...(reason === '' ? {} : { reason }) }, { quiet: true })}
    />
  )
}

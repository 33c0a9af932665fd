import { abnormalApi } from '@campus/access/contract'
import { Can, useMay } from '@kit/web'
import { useCall } from '@kit/web/part'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** The way from a wall to the queue: how many wait, of all kinds or of one; the page belongs to who may read reports. */
export function AbnormalLink({ kind, text }: { kind?: string; text: string }): ReactNode {
  const may = useMay()
  return may('access.report.view') ? <Can code={abnormalApi.list}><Waiting kind={kind} text={text} /></Can> : null
}

function Waiting({ kind, text }: { kind: string | undefined; text: string }): ReactNode {
  const { data } = useCall(abnormalApi.count, {}, { keep: true })
  const waiting = kind === undefined ? data?.waiting : data && (data.list.find(one => String(one.kind) === kind)?.count ?? 0)
  const search = { tab: 'abnormal', state: '0', ...(kind === undefined ? {} : { kind }) }
  return <Link className="kit-link" to="/StrangerTurnover" search={search}>{text}{waiting !== undefined && ` ${waiting} 条待处理`}</Link>
}

import { Button, Empty } from 'antd'
import type { ReactNode } from 'react'
import { sentenceOf } from '../form/use-saving.ts'
import { Loading } from '../parts/loading.tsx'

/** What of a query the states need; `refetch` is what 重试 does. */
export type Awaited = { error: Error | null; isFetching: boolean; refetch: () => Promise<unknown> }

type Props<T> = {
  query: Awaited & { data: T | undefined }
  /** grey lines while it loads */
  rows?: number
  /** says why nothing is there and what to do next, where the answer holds nothing */
  empty?: ReactNode
  /** default: an empty array, or `{ list: [] }` */
  isEmpty?: (data: T) => boolean
  children: (data: T) => ReactNode
}

/** The content of an answer, or what stands in its place: grey lines, the fault with 重试, or the sentence for an empty answer. */
export function Loaded<T>({ query, rows, empty, isEmpty = holdsNothing, children }: Props<T>): ReactNode {
  const { data } = query
  if (data === undefined) return <PartState query={query} rows={rows} />
  if (empty !== undefined && isEmpty(data)) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={empty} />
  return children(data)
}

/** What stands where an answer is expected: grey lines, or the fault with 重试. */
export function PartState({ query, rows = 6 }: { query: Awaited; rows?: number }): ReactNode {
  if (query.error === null) return <Loading rows={rows} />
  return (
    <div className="kit-failed" role="alert">
      <p>{sentenceOf(query.error)}</p>
      <Button loading={query.isFetching} onClick={() => void query.refetch()}>重试</Button>
    </div>
  )
}

function holdsNothing(data: unknown): boolean {
  if (Array.isArray(data)) return data.length === 0
  return typeof data === 'object' && data !== null && 'list' in data && Array.isArray(data.list) && data.list.length === 0
}

import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { sentenceOf } from '../form/use-saving.ts'
import { Loading } from '../parts/loading.tsx'

/** What stands where an answer is expected: grey lines, or the fault with 重试. */
export function PartState({ query, rows = 6 }: { query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>; rows?: number }): ReactNode {
  if (query.error === null) return <Loading rows={rows} />
  return (
    <div className="kit-failed" role="alert">
      <p>{sentenceOf(query.error)}</p>
      <Button loading={query.isFetching} onClick={() => void query.refetch()}>重试</Button>
    </div>
  )
}

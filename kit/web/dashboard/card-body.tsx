import type { UseQueryResult } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { sentenceOf } from '../form/use-saving.ts'
import { useCardReport } from './card-report.ts'

type Asked<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'isError' | 'isFetching' | 'dataUpdatedAt' | 'refetch'>

/** What stands inside the frame of a card: a skeleton, the fault with 重试, or what was asked for; figures that could not be renewed say how old they are. */
export function CardBody<T>({ query, children }: { query: Asked<T>; children: (data: T) => ReactNode }): ReactNode {
  const { data, error, isError, isFetching, dataUpdatedAt, refetch } = query
  useCardReport({ at: dataUpdatedAt, busy: isFetching, again: refetch })
  if (data === undefined && isError) {
    return (
      <div className="kit-failed" role="alert">
        <p>{sentenceOf(error)}</p>
        <Button size="small" loading={isFetching} onClick={() => void refetch()}>重试</Button>
      </div>
    )
  }
  if (data === undefined) return <Skeleton active title={false} paragraph={{ rows: 2 }} />
  return (
    <>
      {isError && <p className="board-stale" role="alert">更新失败，显示的是上次的数据</p>}
      {children(data)}
    </>
  )
}

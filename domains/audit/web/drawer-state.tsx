import { CallError, Loading } from '@kit/web'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'

/** The content of a drawer: loading, failed with 重试, or what came. */
export function DrawerState<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }): ReactNode {
  const { data, error, isFetching, refetch } = query
  if (data !== undefined) return <div className="audit-drawer">{children(data)}</div>
  if (error === null) return <Loading rows={8} />
  return (
    <div className="kit-failed" role="alert">
      <p>{error instanceof CallError && error.msg !== '' ? error.msg : '网络异常，请检查网络'}</p>
      <Button loading={isFetching} onClick={() => void refetch()}>重试</Button>
    </div>
  )
}

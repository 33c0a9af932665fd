import { Button, Empty } from 'antd'
import type { ReactNode } from 'react'
import { CallError } from '../call/envelope.ts'
import { filterTexts } from './filter-texts.ts'
import type { ResourceList } from './use-resource-list.ts'

/** A list that could not be loaded: the reason and 重试, which turns while it tries. */
export function ListFailed({ error, busy, retry }: { error: Error; busy: boolean; retry: () => Promise<unknown> }): ReactNode {
  const reason = error instanceof CallError && error.msg !== '' ? error.msg : '网络异常，请检查网络'
  return (
    <div className="kit-failed" role="alert">
      <p>{reason}</p>
      <Button loading={busy} onClick={() => void retry()}>重试</Button>
    </div>
  )
}

/** An empty list says why: nothing matches the filters (with 清空条件), or nothing is there yet (with the next act). */
export function ListNothing<Row>({ list, next = '暂无数据' }: { list: ResourceList<Row>; next?: string }): ReactNode {
  const filters = filterTexts(list.fields, list.values)
  if (filters.length === 0) {
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={next} />
  }
  const clear = () => list.filterBy(Object.fromEntries(filters.flatMap((filter) => filter.names.map((name) => [name, undefined]))))
  return (
    <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`没有符合“${filters.map((filter) => filter.text).join('，')}”的数据`}>
      <Button onClick={clear}>清空条件</Button>
    </Empty>
  )
}

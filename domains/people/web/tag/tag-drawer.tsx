import { tagApi } from '@campus/people/contract'
import type { TagMember, TagRow } from '@campus/people/contract'
import { AppDrawer, call, sentenceOf, useSaving } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Pagination, Skeleton, Table } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { AddMembers } from './add-members.tsx'
import { kindName, tagLine } from './tag-words.ts'
import { useTagsChanged } from './use-tags.ts'

const page_size = 20

/** Who has a tag today, 20 a page; those of a tag given by hand come and go here. */
export function TagDrawer({ tag, nameOf, onClose }: { tag: TagRow; nameOf: (dept_id: string) => string | undefined; onClose: () => void }): ReactNode {
  const [page_index, setPage] = useState(1)
  const { busy, refused, run } = useSaving()
  const changed = useTagsChanged()
  const query = useQuery({
    queryKey: [tagApi.members.call, tag.id, page_index],
    queryFn: ({ signal }) => call(tagApi.members, { id: tag.id, page_index, page_size }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / page_size))
  if (page_index > last && data && !query.isPlaceholderData) setPage(last)
  const change = async (way: typeof tagApi.bind | typeof tagApi.unbind, user_ids: string[]) => {
    const done = await run(() => call(way, { id: tag.id, user_ids }, { quiet: true }), '设置成功')
    await changed()
    return done
  }
  const is_manual = tag.kind === 'manual'
  return (
    <AppDrawer size={720} title={`标签：${tag.tag_name}`} onClose={onClose}>
      <p className="tag-about">{tagLine(tag, nameOf)}{data && <>　今天共 <b>{data.total.toLocaleString('en-US')}</b> 人</>}</p>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {is_manual && !tag.archived && <AddMembers tag={tag} busy={busy} add={user_ids => change(tagApi.bind, user_ids)} />}
      {query.error && !data && <LoadFailed text={sentenceOf(query.error)} again={() => void query.refetch()} />}
      {!query.error && !data && <Skeleton active />}
      {data?.total === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={is_manual ? '还没有人员，在上面查找添加，或在名册中勾选人员后点“打标签”' : '今天没有学生符合条件'} />}
      {data && data.total > 0 && <Members rows={data.list} remove={is_manual ? user_id => void change(tagApi.unbind, [user_id]) : null} busy={busy} />}
      {data && data.total > page_size && <Pagination className="tag-pages" size="small" current={page_index} pageSize={page_size} total={data.total} showSizeChanger={false} onChange={setPage} />}
    </AppDrawer>
  )
}

function Members({ rows, remove, busy }: { rows: readonly TagMember[]; remove: ((user_id: string) => void) | null; busy: boolean }): ReactNode {
  const act = (_: unknown, row: TagMember) => remove && <Button type="link" size="small" disabled={busy} aria-label={`移除 ${row.user_name}`} onClick={() => remove(row.user_id)}>移除</Button>
  const columns = [
    { title: '姓名', dataIndex: 'user_name', ellipsis: true },
    { title: '编号', dataIndex: 'user_no', width: 150 },
    { title: '类型', dataIndex: 'person_kind', width: 88, render: kindName },
    { title: '班级/部门', dataIndex: 'label', ellipsis: true },
    ...(remove ? [{ title: '添加日期', dataIndex: 'tagged_on', width: 112 }, { title: '操作', key: 'act', width: 72, render: act }] : []),
  ]
  return <Table<TagMember> size="small" rowKey="user_id" columns={columns} dataSource={[...rows]} pagination={false} />
}

import { staffApi } from '@campus/people/contract'
import type { DeptTreeNode, StaffDept, StaffRow } from '@campus/people/contract'
import { call, sentenceOf, useCan, usePage, useSettled } from '@kit/web'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Empty, Input, Pagination, Skeleton, Table } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { nodeOf } from '../organization/dept-place.ts'
import { treeKey } from '../organization/use-organization.ts'
import { AddStaff, StaffDialogs, useStaffDoor } from '../staff/staff-doors.tsx'
import { staffWord } from '../staff/words.ts'
import { memberColumns } from './member-columns.tsx'
import { ActingMark } from './staff-facts.tsx'
import type { Acting } from './use-staff-board.ts'

const page_size = 20

type Props = { node: DeptTreeNode; dept: StaffDept | undefined; acting: readonly Acting[] | undefined; edit: (() => void) | undefined }

/** The people of the chosen department: who leads it, whose first department it is, who is here besides, in which position. */
export function MemberPanel({ node, dept, acting, edit }: Props): ReactNode {
  const door = useStaffDoor()
  const may_see = useCan(staffApi.list)
  return (
    <section className="team-panel" aria-label={`${node.dept_name}的成员`}>
      <header className="team-head">
        <h2 title={node.pt_node_path_name}>{node.dept_name}</h2>
        <ActingMark acting={acting} />
        <span className="org-buttons"><AddStaff door={door} /></span>
      </header>
      {dept && <Leaders dept={dept} edit={edit} />}
      {may_see ? <Members key={node.id} node={node} door={door} /> : <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有查看教职工档案的权限" />}
      <StaffDialogs door={door} dept_id={node.id} />
    </section>
  )
}

function Leaders({ dept: { head, vices, is_vacant, primary_count, part_count }, edit }: { dept: StaffDept; edit: (() => void) | undefined }): ReactNode {
  return (
    <p className="team-facts">
      <span className={is_vacant ? 'team-vacant' : undefined}>{head ? `负责人 ${head.user_name}` : '未设负责人'}</span>
      {vices.length > 0 && <span>{`副负责人 ${vices.map(vice => vice.user_name).join('、')}`}</span>}
      <span>{`主部门 ${primary_count} 人 · 兼任 ${part_count} 人`}</span>
      {edit && <Button size="small" onClick={edit}>{head ? '更换负责人' : '设置负责人'}</Button>}
    </p>
  )
}

function Members({ node, door }: { node: DeptTreeNode; door: ReturnType<typeof useStaffDoor> }): ReactNode {
  const { active } = usePage()
  const [text, setText] = useState('')
  // Nobody works at the school itself.
  const [below, setBelow] = useState(node.parent_id === null)
  const [page_index, setPage] = useState(1)
  const keyword = useSettled(text)
  const client = useQueryClient()
  // Asked at the moment of reading: a department that has just been removed is still drawn for an instant.
  const isThere = () => nodeOf(client.getQueryData<DeptTreeNode[]>(treeKey('staff')) ?? [], node.id) !== undefined
  const query = useQuery({
    queryKey: [staffApi.list.call, 'organization', node.id, keyword, below, page_index],
    queryFn: ({ signal }) => call(staffApi.list, { dept_id: node.id, include_sub: below ? '1' : undefined, keyword: keyword || undefined, page_index, page_size }, { quiet: true, signal }),
    placeholderData: keepPreviousData,
    enabled: () => active && isThere(),
  })
  const { data } = query
  return (
    <>
      <div className="team-search">
        <Input.Search aria-label="查找成员" placeholder="姓名/拼音/工号/手机号" allowClear value={text} onChange={event => { setText(event.target.value); setPage(1) }} />
        <Checkbox checked={below} onChange={event => { setBelow(event.target.checked); setPage(1) }}>含下级部门</Checkbox>
        {data && <span className="team-total" role="status">{`共 ${data.total} 人`}</span>}
      </div>
      {query.error && !data && <LoadFailed text={sentenceOf(query.error)} again={() => void query.refetch()} />}
      {!query.error && !data && <Skeleton active paragraph={{ rows: 6 }} />}
      {data?.total === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={emptyWords(keyword, below, node)} />}
      {data && data.total > 0 && <Table<StaffRow> size="small" rowKey="user_id" columns={memberColumns(node.id, below, door)} dataSource={data.list} pagination={false} loading={query.isPlaceholderData} />}
      {data && data.total > page_size && <Pagination size="small" current={page_index} pageSize={page_size} total={data.total} showSizeChanger={false} onChange={setPage} />}
    </>
  )
}

function emptyWords(keyword: string, below: boolean, node: DeptTreeNode): string {
  if (keyword !== '') return `没有符合“${keyword}”的${staffWord()}，可换一个词或勾选含下级部门`
  if (!below && node.staff_count > 0) return `该部门本身没有${staffWord()}，勾选“含下级部门”查看下级的 ${node.staff_count} 人`
  return `该部门还没有${staffWord()}，可点击新增，或在教职工档案中调入`
}

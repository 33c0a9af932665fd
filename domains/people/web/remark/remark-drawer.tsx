import { PlusOutlined } from '@ant-design/icons'
import { remarkApi, studentApi } from '@campus/people/contract'
import type { RemarkField } from '@campus/people/contract'
import { AppDrawer, call, confirmDanger, sentenceOf, useSaving } from '@kit/web'
import { useDragOrder } from '@kit/web/order'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Empty, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { typeWord } from '../organization/dept-place.ts'
import { RemarkDialog } from './remark-dialog.tsx'
import type { RemarkInput } from './remark-dialog.tsx'
import { remark_choices_key } from './remark-choice.ts'
import { useRemarks } from './use-remarks.ts'
import '../field/field.css'

/** 备注设置: groupings of departments beside the tree, in the order of the form. */
export function RemarkDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const query = useRemarks()
  const client = useQueryClient()
  const { busy, refused, run } = useSaving()
  const [edited, edit] = useState<RemarkField | 'new' | null>(null)
  const fields = query.data ?? []
  const live = fields.filter(field => !field.archived)
  const send = async (list: RemarkInput[]) => {
    const saved = await call(remarkApi.save, { list }, { quiet: true })
    client.setQueryData([remarkApi.config.call], saved.list)
    for (const key of [remark_choices_key, remarkApi.statis.call, studentApi.list.call]) void client.invalidateQueries({ queryKey: [key] })
  }
  const move = (from: number, to: number) => {
    const lines = fields.map(lineOf)
    if (!busy && to >= 0 && to < live.length) void run(() => send(lines.toSpliced(from, 1).toSpliced(to, 0, ...lines.slice(from, from + 1))))
  }
  const setArchived = (field: RemarkField) => void run(() => send(fields.map(one => (one === field ? { ...lineOf(one), archived: !one.archived } : lineOf(one)))), field.archived ? '已启用' : '已停用')
  const drop = async (field: RemarkField) => {
    if (await confirmDanger({ title: `删除备注“${field.label}”？`, touches: '还没有部门填写，删除后不留历史。', ok: '删除' })) await run(() => send(fields.filter(one => one !== field).map(lineOf)), '已删除')
  }
  const list = useDragOrder(move)
  return (
    <AppDrawer size={720} title="备注设置" onClose={onClose} extra={<Button type="primary" icon={<PlusOutlined aria-hidden />} disabled={!query.data} onClick={() => edit('new')}>新增备注</Button>}>
      <p className="field-about">备注是组织架构之外的另一种分组，例如校区、班级性质。部门在编辑时选择，没有选择的随上级部门；可以用来筛选学生和统计人数。</p>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {query.error && !query.data && <LoadFailed text={sentenceOf(query.error)} again={() => void query.refetch()} />}
      {!query.error && !query.data && <Skeleton active />}
      {query.data?.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有备注，先新增一项，例如“校区”" />}
      <ol ref={list} className="field-list" aria-label="部门备注">
        {fields.map((field, at) => (
          <li key={field.id} draggable={!field.archived}>
            <FieldText field={field} />
            {!field.archived && <Button size="small" type="text" disabled={busy || at === 0} aria-label={`上移 ${field.label}`} onClick={() => move(at, at - 1)}>↑</Button>}
            {!field.archived && <Button size="small" type="text" disabled={busy || at === live.length - 1} aria-label={`下移 ${field.label}`} onClick={() => move(at, at + 1)}>↓</Button>}
            <Button size="small" type="link" aria-label={`编辑 ${field.label}`} onClick={() => edit(field)}>编辑</Button>
            <Button size="small" type="link" disabled={busy} aria-label={`${field.archived ? '启用' : '停用'} ${field.label}`} onClick={() => setArchived(field)}>{field.archived ? '启用' : '停用'}</Button>
            {field.used === 0 && <Button size="small" type="link" danger disabled={busy} aria-label={`删除 ${field.label}`} onClick={() => void drop(field)}>删除</Button>}
          </li>
        ))}
      </ol>
      {edited && <RemarkDialog field={edited === 'new' ? null : edited} send={line => send(edited === 'new' ? [...live.map(lineOf), line, ...fields.filter(field => field.archived).map(lineOf)] : fields.map(one => (one === edited ? line : lineOf(one))))} onClose={() => edit(null)} />}
    </AppDrawer>
  )
}

function lineOf(field: RemarkField): RemarkInput {
  const { used: _, ...line } = field
  return line
}

function FieldText({ field: { label, options, applies_to, archived, used } }: { field: RemarkField }): ReactNode {
  return (
    <span className="field-text">
      <b>{label}</b> {archived && <Tag>已停用</Tag>} <small>{`${options.join('、')} · ${applies_to.map(typeWord).join('、')} · ${used} 个部门已填`}</small>
    </span>
  )
}

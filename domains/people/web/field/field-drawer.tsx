import { PlusOutlined } from '@ant-design/icons'
import { field_scenes, fieldApi, staffApi, studentApi } from '@campus/people/contract'
import type { CustomField, FieldFacet } from '@campus/people/contract'
import { AppDrawer, call, sentenceOf, useSaving } from '@kit/web'
import { useDragOrder } from '@kit/web/order'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Empty, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { FieldDialog } from './field-dialog.tsx'
import { facetName, lineOf, type_names } from './field-lines.ts'
import type { FieldInput } from './field-lines.ts'
import { choices_key } from './field-roll.tsx'
import { fieldsKey, useFields } from './use-fields.ts'
import './field.css'

/** 字段设置: what the school adds to the files of its pupils or staff, in the order of the form. */
export function FieldDrawer({ facet, onClose }: { facet: FieldFacet; onClose: () => void }): ReactNode {
  const query = useFields(facet)
  const client = useQueryClient()
  const { busy, refused, run } = useSaving()
  const [edited, edit] = useState<CustomField | 'new' | null>(null)
  const fields = query.data ?? []
  const live = fields.filter(field => !field.archived)
  const gone = fields.filter(field => field.archived)
  const send = async (list: FieldInput[]) => {
    const saved = await call(fieldApi.save, { field_scene: field_scenes[facet], list }, { quiet: true })
    client.setQueryData(fieldsKey(facet), saved.list)
    for (const key of [choices_key, studentApi.list.call, staffApi.list.call]) void client.invalidateQueries({ queryKey: [key] })
  }
  const move = (from: number, to: number) => {
    const lines = live.map(lineOf)
    if (!busy && to >= 0 && to < lines.length) void run(() => send([...lines.toSpliced(from, 1).toSpliced(to, 0, ...lines.slice(from, from + 1)), ...gone.map(lineOf)]))
  }
  const setArchived = (field: CustomField, is_gone: boolean) => void run(() => send(fields.map(one => (one === field ? { ...lineOf(one), archived: is_gone } : lineOf(one)))), is_gone ? '已停用' : '已启用')
  const list = useDragOrder(move)
  return (
    <AppDrawer size={720} title={`${facetName(facet)}字段设置`} onClose={onClose} extra={<Button type="primary" icon={<PlusOutlined aria-hidden />} disabled={!query.data} onClick={() => edit('new')}>新增字段</Button>}>
      <p className="field-about">自定义字段显示在{facetName(facet)}档案的编辑和详情中，拖动或用箭头调整顺序。停用后不再显示，已填写的内容保留，重新启用即可恢复。</p>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {query.error && !query.data && <LoadFailed text={sentenceOf(query.error)} again={() => void query.refetch()} />}
      {!query.error && !query.data && <Skeleton active />}
      {query.data && live.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有自定义字段，先新增一个，例如“过敏史”" />}
      <ol ref={list} className="field-list" aria-label="自定义字段">
        {live.map((field, at) => (
          <li key={field.id} draggable>
            <FieldText field={field} />
            <Button size="small" type="text" disabled={busy || at === 0} aria-label={`上移 ${field.label}`} onClick={() => move(at, at - 1)}>↑</Button>
            <Button size="small" type="text" disabled={busy || at === live.length - 1} aria-label={`下移 ${field.label}`} onClick={() => move(at, at + 1)}>↓</Button>
            <Button size="small" type="link" aria-label={`编辑 ${field.label}`} onClick={() => edit(field)}>编辑</Button>
            <Button size="small" type="link" disabled={busy} aria-label={`停用 ${field.label}`} onClick={() => setArchived(field, true)}>停用</Button>
          </li>
        ))}
      </ol>
      <GoneFields fields={gone} busy={busy} back={field => setArchived(field, false)} />
      {edited && <FieldDialog facet={facet} field={edited === 'new' ? null : edited} send={line => send(edited === 'new' ? [...live.map(lineOf), line, ...gone.map(lineOf)] : fields.map(one => (one === edited ? line : lineOf(one))))} onClose={() => edit(null)} />}
    </AppDrawer>
  )
}

function GoneFields({ fields, busy, back }: { fields: readonly CustomField[]; busy: boolean; back: (field: CustomField) => void }): ReactNode {
  const [shown, show] = useState(false)
  if (fields.length === 0) return null
  return (
    <>
      <Checkbox checked={shown} onChange={event => show(event.target.checked)}>显示已停用（{fields.length}）</Checkbox>
      {shown && (
        <ul className="field-list" aria-label="已停用的字段">
          {fields.map(field => (
            <li key={field.id}>
              <FieldText field={field} />
              <Button size="small" type="link" disabled={busy} aria-label={`启用 ${field.label}`} onClick={() => back(field)}>启用</Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function FieldText({ field: { label, field_code, type, group_name, required, level } }: { field: CustomField }): ReactNode {
  return (
    <span className="field-text">
      <b>{label}</b> <small>{field_code} · {type_names[type]}{group_name && ` · ${group_name}`}</small> {required && <Tag color="orange">必填</Tag>}
      {level === 3 && <Tag color="red">敏感</Tag>}
    </span>
  )
}

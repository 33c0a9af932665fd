import { educationApi, resourceApi } from '@campus/publishing/contract'
import type { PublishPlace } from '@campus/publishing/contract'
import { PeoplePicker } from '@campus/people/web'
import { AppModal, call, leaving, toast, useSaving } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Form, Tag, TreeSelect } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Values = { place_id?: string[]; publish_teacher?: string[] }
type PlaceNode = { value: string; title: ReactNode; text: string; children: PlaceNode[] }
type Props = { resource_ids: readonly string[]; item: string; onClose: () => void; onDone: () => void }

/** 发布 to rooms and teachers; rooms without a board are named afterwards (chapter 60 rule 29). */
export function PublishDialog({ resource_ids, item, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const places = useCall(resourceApi.places, {})
  const [without, setWithout] = useState<readonly string[]>([])
  const save = async () => {
    const { place_id = [], publish_teacher = [] } = form.getFieldsValue()
    const is_sent = await run(async () => {
      const asked = { resource_id: [...resource_ids], place_id, publish_teacher }
      const { added, existed, no_board } = await call(educationApi.publish, asked, { quiet: true })
      toast.success(existed === 0 ? '发布成功' : `发布成功，新增${added}处，${existed}处已发布`)
      setWithout(no_board)
      if (no_board.length === 0) onClose()
    })
    if (is_sent) onDone()
  }
  if (without.length > 0) return <WithoutBoards names={without} onClose={onClose} />
  const frame = { okText: '发布', confirmLoading: busy, onOk: () => void save(), onCancel: leaving(form, onClose) }
  return (
    <AppModal open width={560} title={`发布 ${resource_ids.length} 个${item}`} {...frame}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Loaded query={places} rows={3}>
        {({ list }) => (
          <Form form={form} name="publish-resource" layout="vertical">
            <Form.Item name="place_id" label="教室" extra="选楼栋或楼层即选中其下的教室">
              <PlacesSelect places={list} />
            </Form.Item>
            <Form.Item name="publish_teacher" label="教师">
              <PeoplePicker of={['teacher']} />
            </Form.Item>
          </Form>
        )}
      </Loaded>
    </AppModal>
  )
}

function WithoutBoards({ names, onClose }: { names: readonly string[]; onClose: () => void }): ReactNode {
  return (
    <AppModal open width={520} title="发布结果" footer={null} onCancel={onClose}>
      <Alert type="info" showIcon title="未绑定班牌，绑定后自动下发" />
      <ul className="res-failures">
        {names.map(name => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </AppModal>
  )
}

type SelectProps = { id?: string; value?: string[]; onChange?: (ids: string[]) => void; places: readonly PublishPlace[] }

function PlacesSelect({ id, value, onChange, places }: SelectProps): ReactNode {
  return (
    <TreeSelect<string[], PlaceNode>
      id={id}
      multiple
      treeCheckable
      showCheckedStrategy={TreeSelect.SHOW_CHILD}
      allowClear
      maxTagCount={8}
      placeholder="选择教室"
      value={value ?? []}
      onChange={ids => onChange?.(ids)}
      treeData={treeOf(places)}
      showSearch={{ filterTreeNode: (text, node) => String(node['text']).includes(text) }}
    />
  )
}

/** Places below their superiors; a place whose superior is out of sight stands at the top. */
function treeOf(places: readonly PublishPlace[]): PlaceNode[] {
  const known = new Set(places.map(place => place.place_id))
  const below = Map.groupBy(places, place => (place.superior_id !== null && known.has(place.superior_id) ? place.superior_id : ''))
  const nodes = (superior: string): PlaceNode[] =>
    (below.get(superior) ?? []).map(place => ({
      value: place.place_id,
      text: place.place_name,
      title: <PlaceTitle place={place} />,
      children: nodes(place.place_id),
    }))
  return nodes('')
}

function PlaceTitle({ place: { place_name, has_board, online } }: { place: PublishPlace }): ReactNode {
  if (!has_board) return place_name
  return (
    <>
      {place_name} <Tag color={online ? 'green' : 'default'}>{online ? '班牌' : '班牌离线'}</Tag>
    </>
  )
}

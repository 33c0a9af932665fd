import { placeApi } from '@campus/places/contract'
import type { Place, PlaceNode } from '@campus/places/contract'
import { AppModal, call, useSaving } from '@kit/web'
import { Alert, Form, TreeSelect } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { flatten, usePlacesChanged } from './use-places.ts'

type Choice = { value: string; title: string; disabled: boolean; children: Choice[] }

/** Puts a place with everything below it under another one; says first how much moves. */
export function MoveDialog({ place, nodes, target, onClose }: { place: Place; nodes: readonly PlaceNode[]; target: string | undefined; onClose: () => void }): ReactNode {
  const [superior_id, choose] = useState(target)
  const { busy, refused, run } = useSaving()
  const changed = usePlacesChanged()
  const all = flatten(nodes)
  const own = all.find(node => node.place_id === place.place_id)
  const moved = own ? flatten([own]).length : 1
  const to = all.find(node => node.place_id === superior_id)
  const move = async () => {
    if (superior_id === undefined) return
    if (!(await run(() => call(placeApi.move, { place_id: place.place_id, superior_id, row_version: place.row_version }, { quiet: true }), '移动成功'))) return
    await changed()
    onClose()
  }
  return (
    <AppModal open width={520} title={`移动 ${place.place_name}`} okText="移动" confirmLoading={busy} okButtonProps={{ disabled: superior_id === undefined }} onOk={() => void move()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form layout="vertical">
        <Form.Item label="移动到" htmlFor="place-move-to">
          <TreeSelect id="place-move-to" className="kit-fill" showSearch={{ treeNodeFilterProp: 'title' }} treeDefaultExpandedKeys={nodes.map(node => node.place_id)} treeData={choices(nodes, place.place_id)} value={superior_id} onChange={choose} placeholder="选择新的上级场所" />
        </Form.Item>
      </Form>
      <p className="place-hint">{moved > 1 ? `连同下级共 ${moved} 个场所一起移动。` : '只移动这一个场所。'}{to && `移动后：${to.node_path_name}/${place.place_name}`}</p>
    </AppModal>
  )
}

/** Everything but the place itself and what is below it. */
function choices(nodes: readonly PlaceNode[], moving: string): Choice[] {
  return nodes.map(node => ({ value: node.place_id, title: node.place_name, disabled: node.place_id === moving, children: node.place_id === moving ? [] : choices(node.children ?? [], moving) }))
}

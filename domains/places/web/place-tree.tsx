import type { PlaceNode } from '@campus/places/contract'
import { Empty, Input, Tree } from 'antd'
import { useState } from 'react'
import type { Key, ReactNode } from 'react'
import type { DeviceCount } from './ports.ts'
import { matching } from './use-places.ts'

type Props = {
  nodes: readonly PlaceNode[]
  /** devices in and below each place; of the past only how many */
  counts: ReadonlyMap<string, DeviceCount>
  is_past: boolean
  selected: string | undefined
  select: (place_id: string) => void
  /** F2 on the chosen place; null where nothing may be edited */
  rename: ((place_id: string) => void) | null
  /** a place was dropped on another one */
  drop: ((place_id: string, superior_id: string) => void) | null
}

/** The places as a tree with search; dragged onto another place one moves there, after a question. */
export function PlaceTree({ nodes, counts, is_past, selected, select, rename, drop }: Props): ReactNode {
  const [text, setText] = useState('')
  const [opened, setOpened] = useState<Key[] | null>(null)
  const shown = matching(nodes, text.trim())
  const expanded = text.trim() === '' ? (opened ?? firstOpen(nodes)) : shown.flatMap(allIds)
  const press = (event: { key: string; preventDefault: () => void }) => {
    if (event.key !== 'F2' || selected === undefined || !rename) return
    event.preventDefault()
    rename(selected)
  }
  return (
    <div className="kit-tree place-tree">
      <Input.Search allowClear placeholder="搜索场所" aria-label="搜索场所" value={text} onChange={event => setText(event.target.value)} />
      <div className="kit-tree-body">
        {shown.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`没有找到“${text}”`} />}
        {shown.length > 0 && (
          <Tree
            blockNode
            draggable={drop ? { icon: false } : false}
            treeData={shown.map(node => antdNode(node, counts, is_past))}
            selectedKeys={selected === undefined ? [] : [selected]}
            expandedKeys={expanded}
            onExpand={setOpened}
            onKeyDown={press}
            onSelect={keys => keys[0] !== undefined && select(String(keys[0]))}
            onDrop={({ dragNode, node, dropToGap }) => !dropToGap && drop?.(String(dragNode.key), String(node.key))}
          />
        )}
      </div>
    </div>
  )
}

function firstOpen(nodes: readonly PlaceNode[]): Key[] {
  return nodes.map(node => node.place_id)
}

function allIds(node: PlaceNode): Key[] {
  return [node.place_id, ...(node.children ?? []).flatMap(allIds)]
}

type AntdNode = { key: string; title: ReactNode; isLeaf: boolean; children: AntdNode[] }

function antdNode(node: PlaceNode, counts: Props['counts'], is_past: boolean): AntdNode {
  const count = counts.get(node.place_id)
  const title = (
    <span className="kit-tree-node" title={node.node_path_name}>
      <span className="kit-tree-name">{node.place_name}</span>
      {node.dept_name !== null && <span className="kit-tree-count">{node.dept_name}</span>}
      {count !== undefined && count.total > 0 && <span className="kit-tree-count" title={is_past ? '当时的设备数' : '设备：在线/全部'}>{is_past ? count.total : `${count.online}/${count.total}`}</span>}
    </span>
  )
  const children = (node.children ?? []).map(child => antdNode(child, counts, is_past))
  return { key: node.place_id, title, isLeaf: children.length === 0, children }
}

import type { Camera } from '@campus/devices/contract'
import { Badge, Empty, Input, Tree } from 'antd'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { stateColor } from '../state-dot.tsx'
import { cameraTree, matchingNodes } from './camera-tree.ts'
import type { CameraNode } from './camera-tree.ts'

/** Places with their cameras; choosing one fills the wall, choosing it again shows all. */
export function CameraSide({ cameras, chosen, choose }: { cameras: readonly Camera[]; chosen: string | undefined; choose: (key: string | undefined) => void }): ReactNode {
  const [text, search] = useState('')
  const tree = useMemo(() => cameraTree(cameras), [cameras])
  const nodes = matchingNodes(tree, text.trim())
  return (
    <aside className="kit-side video-side">
      <Input.Search allowClear aria-label="搜索摄像机" placeholder="摄像机或场所" value={text} onChange={event => search(event.target.value)} />
      {nodes.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={text === '' ? '没有摄像机' : `没有找到“${text}”`} />}
      {nodes.length > 0 && (
        <Tree
          key={text === '' ? 'all' : 'found'}
          blockNode
          className="video-tree"
          treeData={nodes.map(antdNode)}
          selectedKeys={chosen === undefined ? [] : [chosen]}
          {...(text === '' ? { defaultExpandedKeys: tree.map(node => node.key) } : { defaultExpandAll: true })}
          onSelect={keys => choose(keys[0] === undefined ? undefined : String(keys[0]))}
        />
      )}
    </aside>
  )
}

type AntdNode = { key: string; title: ReactNode; isLeaf: boolean; children: AntdNode[] }

function antdNode({ key, title, online, total, camera, children }: CameraNode): AntdNode {
  const shown = camera ? <Badge status={camera.device_state === null ? 'default' : stateColor(camera.device_state)} text={title} /> : <span className="kit-tree-node"><span className="kit-tree-name">{title}</span><span className="kit-tree-count" title="在线/全部">{`${online}/${total}`}</span></span>
  return { key, title: shown, isLeaf: camera !== null, children: children.map(antdNode) }
}

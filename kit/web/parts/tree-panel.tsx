import { SearchOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Tree } from 'antd'
import Search from 'antd/es/input/Search'
import { useState } from 'react'
import type { Key, ReactNode } from 'react'
import { Loading } from './loading.tsx'
import { withChildren } from './tree-nodes.ts'
import type { TreeNode } from './tree-nodes.ts'

type Props = {
  /** names the tree in the cache */
  name: string
  /** children of a node; the roots without one */
  load: (parent_id?: string) => Promise<TreeNode[]>
  /** nodes whose name holds the text, flat */
  search: (text: string) => Promise<TreeNode[]>
  selected: string | undefined
  onSelect: (id: string | undefined) => void
  /** said when there is no department yet */
  empty?: string
}

/** A tree that loads as it opens, with counts and search; choosing the chosen node again clears the choice. */
export function TreePanel({ name, load, search, selected, onSelect, empty = '暂无部门' }: Props): ReactNode {
  const [text, setText] = useState('')
  const [opened, setOpened] = useState<TreeNode[]>()
  const [expanded, setExpanded] = useState<Key[]>()
  const roots = useQuery({ queryKey: ['tree', name, text], queryFn: () => (text === '' ? load() : search(text)) })
  const nodes = text === '' ? (opened ?? roots.data ?? []) : (roots.data ?? [])
  const open = async (id: string) => {
    const children = await load(id)
    setOpened((before) => withChildren(before ?? roots.data ?? [], id, children))
  }
  return (
    <div className="kit-tree">
      <Search allowClear placeholder="搜索部门" aria-label="搜索部门" enterButton={<Button icon={<SearchOutlined aria-hidden />} aria-label="搜索" />} onSearch={setText} onChange={(event) => event.target.value === '' && setText('')} />
      <div className="kit-tree-body">
        {roots.isPending && <Loading rows={8} />}
        {roots.isError && <TreeFailed retry={() => void roots.refetch()} />}
        {roots.isSuccess && nodes.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={text === '' ? empty : `没有找到“${text}”`} />}
        {roots.isSuccess && nodes.length > 0 && (
          <Tree
            blockNode
            treeData={nodes.map((node) => antdNode(node, text !== ''))}
            selectedKeys={selected === undefined ? [] : [selected]}
            expandedKeys={expanded ?? firstOpen(nodes)}
            onExpand={setExpanded}
            loadData={(node) => open(String(node.key))}
            onSelect={(keys) => onSelect(keys[0] === undefined ? undefined : String(keys[0]))}
          />
        )}
      </div>
    </div>
  )
}

function TreeFailed({ retry }: { retry: () => void }): ReactNode {
  return (
    <div className="kit-failed">
      <p>加载失败</p>
      <Button size="small" onClick={retry}>
        重试
      </Button>
    </div>
  )
}

// A single root (the school) is of no use closed.
function firstOpen(nodes: readonly TreeNode[]): Key[] {
  const [only, second] = nodes
  return only?.children && !second ? [only.id] : []
}

type AntdNode = { key: string; title: ReactNode; isLeaf: boolean; children?: AntdNode[] }

function antdNode(node: TreeNode, flat: boolean): AntdNode {
  const title = (
    <span className="kit-tree-node" title={node.path ?? node.name} data-drop={node.is_target ? node.id : undefined}>
      <span className="kit-tree-name">{flat ? (node.path ?? node.name) : node.name}</span>
      {node.count !== undefined && <span className="kit-tree-count">{node.count}</span>}
    </span>
  )
  return { key: node.id, title, isLeaf: flat || node.is_leaf, children: flat ? undefined : node.children?.map((child) => antdNode(child, false)) }
}

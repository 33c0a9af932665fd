import { peopleTreeApi } from '@campus/people/contract'
import type { TreePerson } from '@campus/people/contract'
import { AppModal, call, sentenceOf } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Skeleton, Tree } from 'antd'
import type { TreeDataNode } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'

type Side = 'student' | 'staff'
type Level = Awaited<ReturnType<typeof readLevel>>
type Props = { tree: Side; title: string; onChoose: (people: readonly TreePerson[]) => void; onClose: () => void }

const kept_ms = 60_000

async function readLevel(tree: Side, parent_id?: string) {
  return (await call(peopleTreeApi.level, { tree, parent_id }, { quiet: true })).list
}

const levelQuery = (tree: Side, parent_id?: string) => ({ queryKey: [peopleTreeApi.level.call, tree, parent_id], queryFn: () => readLevel(tree, parent_id), staleTime: kept_ms })

/** Chooses people department by department: a department stands for the people of that very one, a level is fetched when it is opened. */
export function PeopleTree({ tree, title, onChoose, onClose }: Props): ReactNode {
  const client = useQueryClient()
  const roots = useQuery(levelQuery(tree))
  const [opened, setOpened] = useState<ReadonlyMap<string, Level>>(new Map())
  const [chosen, choose] = useState<ReadonlyMap<string, TreePerson>>(new Map())
  const [refused, setRefused] = useState<string>()
  const levels = new Map(opened).set('', roots.data ?? [])
  const open = async (parent_id: string): Promise<Level> => {
    try {
      const list = await client.fetchQuery(levelQuery(tree, parent_id))
      setOpened(known => new Map(known).set(parent_id, list))
      return list
    } catch (cause) {
      setRefused(sentenceOf(cause))
      return []
    }
  }
  const check = async (key: string) => {
    const person = personOf(levels, key)
    const people = person ? [person] : peopleIn(levels.get(key) ?? (await open(key)))
    const is_all = people.every(one => chosen.has(one.id))
    const next = new Map(chosen)
    for (const one of people) if (is_all) next.delete(one.id)
    else next.set(one.id, one)
    choose(next)
  }
  return (
    <AppModal open title={title} width={520} okText={chosen.size > 0 ? `选择（${chosen.size}人）` : '选择'} okButtonProps={{ disabled: chosen.size === 0 }} onOk={() => onChoose([...chosen.values()])} onCancel={onClose}>
      {refused && <Alert type="error" showIcon title={refused} />}
      {roots.error && !roots.data && <LoadFailed text={sentenceOf(roots.error)} again={() => void roots.refetch()} />}
      {roots.isPending && <Skeleton active />}
      {roots.data && (
        <Tree
          checkable checkStrictly height={380} aria-label={title} treeData={nodesOf(tree, levels, '')} loadData={node => open(String(node.key)).then(() => undefined)}
          checkedKeys={checkedKeys(levels, chosen)} onCheck={(_, { node }) => void check(String(node.key))}
        />
      )}
    </AppModal>
  )
}

function nodesOf(tree: Side, levels: ReadonlyMap<string, Level>, parent: string): TreeDataNode[] {
  return (levels.get(parent) ?? []).map(node => {
    const count = tree === 'student' ? node.student_count : node.staff_count
    if (node.user_or_dept === 2) return { key: node.id, title: `${node.dept_name}（${node.user_no}）`, isLeaf: true }
    return { key: node.id, title: count > 0 ? `${node.label}　${count}人` : node.label, isLeaf: !node.has_child, checkable: node.has_child, children: levels.has(node.id) ? nodesOf(tree, levels, node.id) : undefined }
  })
}

function personOf(levels: ReadonlyMap<string, Level>, key: string): TreePerson | undefined {
  return [...levels.values()].flatMap(peopleIn).find(person => person.id === key)
}

function peopleIn(level: Level): TreePerson[] {
  return level.flatMap(node => (node.user_or_dept === 2 ? [node] : []))
}

/** The chosen people, and departments all of whose people are chosen. */
function checkedKeys(levels: ReadonlyMap<string, Level>, chosen: ReadonlyMap<string, TreePerson>): string[] {
  const full = [...levels].filter(([, level]) => peopleIn(level).length > 0 && peopleIn(level).every(person => chosen.has(person.id))).map(([key]) => key)
  return [...chosen.keys(), ...full]
}

import { DeptDraft, deptEditApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { call, CallError, sentenceOf, toast } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Side } from './dept-place.ts'
import { moved } from './tree-moved.ts'
import type { Move } from './tree-rows.ts'
import { ownSchool, treeKey, useRefresh } from './use-organization.ts'

type Renaming = { id: string; before: string; text: string; busy: boolean; refused: string | null }

/** Editing in the tree itself: one name at a time, and moves. */
export type TreeEdit = {
  renaming: Renaming | null
  begin: (node: DeptTreeNode) => void
  type: (text: string) => void
  save: () => Promise<void>
  giveUp: () => void
  move: (move: Move) => Promise<void>
}

const stale_id = 'people.staleRow'

/** Names hold from today; a refused name stays as typed. */
export function useTreeEdit(side: Side): TreeEdit {
  const refresh = useRefresh()
  const move = useMove(side)
  const [renaming, setRenaming] = useState<Renaming | null>(null)
  // Read when the typing begins, so that somebody else's edit in the meantime is noticed.
  const version = useRef<Promise<number>>(null)
  const begin = (node: DeptTreeNode) => {
    version.current = versionOf(node.id)
    version.current.catch(() => undefined)
    setRenaming({ id: node.id, before: node.dept_name, text: node.dept_name, busy: false, refused: null })
  }
  const save = async () => {
    if (!renaming || renaming.busy) return
    const { id, before, text } = renaming
    const name = DeptDraft.shape.dept_name.safeParse(text)
    if (!name.success) return setRenaming({ ...renaming, refused: name.error.issues[0]?.message ?? null })
    if (name.data === before) return setRenaming(null)
    setRenaming({ ...renaming, busy: true, refused: null })
    try {
      await call(deptEditApi.update, { school_id: ownSchool(), id, row_version: (await version.current) ?? 0, dept_name: name.data }, { quiet: true })
      setRenaming(null)
      toast.success(`已改名为${name.data}，今天起生效`)
      await refresh()
    } catch (cause) {
      const is_stale = cause instanceof CallError && cause.error_id === stale_id
      if (is_stale) version.current = versionOf(id)
      setRenaming({ ...renaming, busy: false, refused: is_stale ? '已被他人修改，再按回车将以此名称覆盖' : sentenceOf(cause) })
    }
  }
  return { renaming, begin, save, giveUp: () => setRenaming(null), type: text => setRenaming(before => before && { ...before, text, refused: null }), move }
}

/** Moves show at once and are sent one after the other; a refused one is taken back by reading the tree again. */
function useMove(side: Side): TreeEdit['move'] {
  const client = useQueryClient()
  const refresh = useRefresh()
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const waiting = useRef(0)
  return async move => {
    // A tree that is on its way was read before this move and would show it taken back.
    await client.cancelQueries({ queryKey: treeKey(side) })
    client.setQueryData<DeptTreeNode[]>(treeKey(side), tree => tree && moved(tree, move))
    waiting.current += 1
    const turn = queue.current.then(() => send(move))
    queue.current = turn.catch(() => undefined)
    try {
      await turn
      if (move.parent_id !== undefined) toast.success('已移动，今天起生效')
    } catch (cause) {
      toast.warning(sentenceOf(cause))
    } finally {
      waiting.current -= 1
      if (waiting.current === 0) await refresh()
    }
  }
}

async function send({ id, parent_id, index }: Move): Promise<void> {
  const school_id = ownSchool()
  if (parent_id !== undefined) await call(deptEditApi.update, { school_id, id, row_version: await versionOf(id), parent_id }, { quiet: true })
  if (index !== undefined) await call(deptEditApi.reorder, { school_id, id, index }, { quiet: true })
}

async function versionOf(id: string): Promise<number> {
  return (await call(deptEditApi.detail, { school_id: ownSchool(), id }, { quiet: true })).row_version
}

import { roleApi, scope_dimensions } from '@campus/identity/contract'
import type { RoleMatrix, RoleScope } from '@campus/identity/contract'
import { call, CallError, useSaving } from '@kit/web'
import type { Saving } from '@kit/web'
import { useState } from 'react'
import { changeOf, choiceOf, laidOver } from './choice.ts'
import type { Choice, CodeChange } from './choice.ts'

type ScopeDraft = Partial<Record<'dept' | 'place', RoleScope>>

/** What is being changed of a role and not saved yet. */
export type MatrixDraft = {
  base: RoleMatrix
  choice: Choice
  choose: (choice: Choice) => void
  scopes: ScopeDraft
  setScope: (dimension: 'dept' | 'place', scope: RoleScope) => void
  change: CodeChange
  /** dimensions whose scope differs */
  moved: ('dept' | 'place')[]
  is_dirty: boolean
  /** nothing is missing: departments are named where some are to be */
  is_complete: boolean
  /** somebody else has saved since */
  is_stale: boolean
  saving: Saving
  save: () => Promise<boolean>
  /** reads again and keeps what was chosen */
  reread: () => Promise<boolean>
  discard: () => void
}

/** The draft over the state in which the role was read. */
export function useMatrixDraft(matrix: RoleMatrix): MatrixDraft {
  const [base, setBase] = useState(matrix)
  const [choice, choose] = useState<Choice>(() => choiceOf(matrix.modules))
  const [scopes, setScopes] = useState<ScopeDraft>({})
  const [is_stale, setStale] = useState(false)
  const saving = useSaving()
  const change = changeOf(base.modules, choice)
  const moved = scope_dimensions.filter(dimension => isMoved(base, scopes, dimension))
  const { role_id, version } = base
  const load = async (kept: CodeChange) => {
    const fresh = await call(roleApi.matrix, { role_id }, { quiet: true })
    setBase(fresh)
    choose(laidOver(fresh.modules, kept))
    setStale(false)
  }
  const save = () => saving.run(async () => {
    try {
      await call(roleApi.saveMatrix, { role_id, version, ...change, scopes: Object.fromEntries(moved.map(dimension => [dimension, scopes[dimension]])) }, { quiet: true })
    } catch (cause) {
      setStale(cause instanceof CallError && cause.status === 409)
      throw cause
    }
    setScopes({})
    await load({ grant: [], revoke: [] })
  }, '设置成功')
  return {
    base, choice, choose, scopes, change, moved, is_stale, saving, save,
    is_dirty: change.grant.length + change.revoke.length + moved.length > 0,
    is_complete: moved.every(dimension => scopes[dimension]?.kind !== 'custom' || scopes[dimension].ids.length > 0),
    setScope: (dimension, scope) => setScopes(before => ({ ...before, [dimension]: scope })),
    reread: () => saving.run(() => load(change), '已重新读取，您的选择已保留'),
    discard: () => {
      choose(choiceOf(base.modules))
      setScopes({})
    },
  }
}

function isMoved({ scopes }: RoleMatrix, draft: ScopeDraft, dimension: 'dept' | 'place'): boolean {
  const next = draft[dimension]
  const now = scopes[dimension]
  return next !== undefined && (next.kind !== now.kind || next.ids.toSorted().join() !== now.ids.toSorted().join())
}

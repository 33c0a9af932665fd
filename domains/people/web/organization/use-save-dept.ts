import { deptEditApi } from '@campus/people/contract'
import type { DeptFile } from '@campus/people/contract'
import { call, CallError, toast } from '@kit/web'
import type { FormInstance } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { draftOf, patchOf } from './dept-values.ts'
import type { DeptValues } from './dept-values.ts'
import { tellRefusal, validated } from '../refused.ts'
import { readDept } from './use-dept-file.ts'
import { ownSchool, useRefresh } from './use-organization.ts'

/** Saving one department: what runs, what was refused, what another person has written meanwhile. */
export type SaveDept = {
  busy: boolean
  refused: string | null
  stale: StaleFile | null
  save: () => Promise<void>
  /** saves mine over what the other has changed */
  overwrite: () => Promise<void>
  /** back to the form, everything as typed */
  goOn: () => void
}
/** A department as another person has left it meanwhile. */
type StaleFile = { file: DeptFile; by: { user_name: string; at: string } | null }
type Of = { form: FormInstance<DeptValues>; dept_type: number; file: DeptFile | undefined; before: DeptValues; onSaved: () => void }

const Changer = z.object({ changed_by: z.object({ user_name: z.string(), at: z.string() }) })
const stale_id = 'people.staleRow'
/** Refusals that belong to one field. */
const homes: Readonly<Record<string, keyof DeptValues>> = {
  'people.deptNameTaken': 'dept_name',
  'people.deptCodeTaken': 'code',
  'people.deptParentType': 'parent_id',
  'people.deptPlace': 'parent_id',
  'people.deptHeadTaken': 'head_user_id',
  'people.deptNotOpen': 'effective_on',
  'people.deptFutureChange': 'effective_on',
  'people.deptFutureDuty': 'effective_on',
  'people.backdateTooFar': 'effective_on',
  'people.futureTooFar': 'effective_on',
}

/** Sends a new department or the changed facts of a known one. Nothing typed is lost when it is refused. */
export function useSaveDept({ form, dept_type, file, before, onSaved }: Of): SaveDept {
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [stale, setStale] = useState<StaleFile | null>(null)
  const values = (): DeptValues => form.getFieldsValue(true)
  const send = async (row_version: number | undefined) => {
    const now = values()
    if (!file || row_version === undefined) return call(deptEditApi.add, { ...draftOf(dept_type, now), school_id: ownSchool(), parent_id: now.parent_id ?? '' }, { quiet: true })
    const patch = patchOf(before, now)
    return patch && call(deptEditApi.update, { ...patch, school_id: ownSchool(), id: file.id, row_version }, { quiet: true })
  }
  const run = async (version: () => Promise<number | undefined>) => {
    setBusy(true)
    setRefused(null)
    try {
      const saved = await send(await version())
      if (saved) await refresh()
      toast.success(file ? '保存成功' : `已新增${values().dept_name}`)
      onSaved()
    } catch (cause) {
      const fresh = file && cause instanceof CallError && cause.error_id === stale_id ? await readDept(file.id).catch(() => null) : null
      setStale(fresh && { file: fresh, by: changerOf(cause) })
      setRefused(tellRefusal(form, cause, homes))
    } finally {
      setBusy(false)
    }
  }
  return {
    busy,
    refused,
    stale,
    save: async () => {
      if (await validated(form)) await run(() => Promise.resolve(file?.row_version))
    },
    overwrite: async () => {
      const version = stale?.file.row_version
      setStale(null)
      await run(() => Promise.resolve(version))
    },
    goOn: () => setStale(null),
  }
}

/** Who has written meanwhile, as the refusal says. */
function changerOf(cause: unknown): StaleFile['by'] {
  const said = cause instanceof CallError ? Changer.safeParse(cause.data) : null
  return said?.success ? said.data.changed_by : null
}

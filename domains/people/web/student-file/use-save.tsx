import { parentApi, personApi, studentApi, studentFileApi } from '@campus/people/contract'
import type { FileNotice } from '@campus/people/contract'
import { call, CallError, confirmDanger, showFieldErrors, toast } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import type { FormInstance } from 'antd'
import { useRef, useState } from 'react'
import { sentenceOf, toErrors, validated } from '../refused.ts'
import { draftOf, onFreshFile, patchOf } from './form-values.ts'
import type { FileValues } from './form-values.ts'
import { holdersOf, mergeWayOf, noticesOf, staleOf } from './refusal.ts'
import type { MergeWay, StaleFile } from './refusal.ts'

/** Saving one file: what runs, what was refused, and how to go on. */
export type Save = {
  busy: boolean
  /** the sentence of the last refusal, for the head of the form */
  refused: string | null
  stale: StaleFile | null
  /** whom the number of the refusal belongs to, where two files may be one person's */
  merge: MergeWay | null
  save: () => Promise<void>
  /** saves mine over what the other has changed */
  overwrite: () => Promise<void>
  /** back to the form, everything as typed */
  goOn: () => void
}

type Of = { form: FormInstance<FileValues>; user_id: string | undefined; row_version: number | undefined; before: FileValues; onSaved: () => void }
type Send = (accept_warnings: string[]) => Promise<unknown>

const nothing_more = { stale: null, merge: null }

/** Sends a new file or the changed fields of a known one. Nothing typed is lost when it is refused. */
export function useSave({ form, user_id, row_version, before, onSaved }: Of): Save {
  const refreshLists = useRefreshLists()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [{ stale, merge }, tellMore] = useState<Pick<Save, 'stale' | 'merge'>>(nothing_more)
  const alone = useAlone()
  const done = () => {
    toast.success('保存成功')
    refreshLists()
    onSaved()
  }
  const run = async (send: Send) => {
    setBusy(true)
    setRefused(null)
    tellMore(nothing_more)
    try {
      if (await confirmed(send)) done()
    } catch (cause) {
      const found = staleOf(cause)
      tellMore({ stale: found, merge: mergeWayOf(cause) })
      if (!found) setRefused(tell(form, cause))
    } finally {
      setBusy(false)
    }
  }
  const patch = () => patchOf(before, form.getFieldsValue(true))
  const send = async (accept_warnings: string[]) => {
    if (user_id === undefined) return call(studentFileApi.create, { ...draftOf(form.getFieldsValue(true)), accept_warnings }, { quiet: true })
    const changed = patch()
    return changed && call(studentFileApi.update, { ...changed, user_id, row_version: row_version ?? 0, accept_warnings }, { quiet: true })
  }
  const sendFresh = async (accept_warnings: string[]) => {
    const changed = patch()
    if (!changed || user_id === undefined) return
    const fresh = await call(personApi.detail, { id: user_id }, { quiet: true })
    await call(studentFileApi.update, { ...onFreshFile(changed, fresh), accept_warnings }, { quiet: true })
  }
  return {
    busy,
    refused,
    stale,
    merge,
    save: () => alone(async () => {
      if (await validated(form)) await run(send)
    }),
    overwrite: () => run(sendFresh),
    goOn: () => tellMore(nothing_more),
  }
}

/** Runs one at a time: a second press while the fields are looked at would send the same edit twice, and be refused as stale. */
function useAlone(): (act: () => Promise<void>) => Promise<void> {
  const is_running = useRef(false)
  return async act => {
    if (is_running.current) return
    is_running.current = true
    await act().finally(() => {
      is_running.current = false
    })
  }
}

/** Lists, tree and files show a pupil: all are read again. */
function useRefreshLists(): () => void {
  const client = useQueryClient()
  return () => {
    for (const key of [studentApi.list.call, personApi.detail.call, parentApi.list.call, 'dept-tree', 'tree']) void client.invalidateQueries({ queryKey: [key] })
  }
}

/** Sends; what must be confirmed is asked and sent again. False when the person says no. */
async function confirmed(send: Send, accepted: readonly string[] = []): Promise<boolean> {
  try {
    await send([...accepted])
    return true
  } catch (cause) {
    const notices = noticesOf(cause)
    if (!notices) throw cause
    const yes = await confirmDanger({ title: '请核对后再保存', touches: <NoticeList notices={notices} />, ok: '确认无误，继续保存' })
    return yes && confirmed(send, [...accepted, ...notices.map(notice => notice.field)])
  }
}

function NoticeList({ notices }: { notices: readonly FileNotice[] }) {
  return (
    <ul className="file-notices">
      {notices.map(({ field, msg }) => (
        <li key={field}>{field.startsWith('parents.') ? `家长${Number(field.split('.')[1]) + 1}：${msg}` : msg}</li>
      ))}
    </ul>
  )
}

/** Puts the sentences beside their fields; answers what stands at the head of the form. */
function tell(form: FormInstance<FileValues>, cause: unknown): string {
  if (!(cause instanceof CallError)) throw cause
  showFieldErrors(form, cause)
  tellHolders(form, cause)
  toErrors(form)
  const placed = form.getFieldsError().filter(({ errors }) => errors.length > 0).map(({ name }) => name.join('.'))
  const loose = cause.errors.filter(({ field }) => !placed.includes(field)).map(({ msg }) => msg)
  return [...new Set([sentenceOf(cause), ...loose])].join('；')
}

/** Who has the mobile stands beside it: that tells a mistyped number from a mistyped name. */
function tellHolders(form: FormInstance, cause: unknown): void {
  for (const { field, user_name, mine } of holdersOf(cause)) {
    const known = form.getFieldsError().find(({ name }) => name.join('.') === field)
    if (known) form.setFields([{ name: known.name, errors: [`手机号已被占用：登记为${user_name}，此处为${mine}，请更正`] }])
  }
}

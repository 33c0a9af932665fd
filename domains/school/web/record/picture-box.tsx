import { pictureApi, setupApi } from '@campus/school/contract'
import type { PictureKind } from '@campus/school/contract'
import { call, confirmDanger, toast, useCan } from '@kit/web'
import { PictureField } from '@kit/web/upload'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'

// Pictures of a school are fitted by the server to what their places need, which is more than a photo of a person has.
const rule = { purpose: 'logo', prepare: 'as_is' } as const
const square = { aspect: 1, most: 512 } as const

type Props = { kind: PictureKind; title: string; hint: string; address: string | null; onSaved: () => Promise<unknown> }

/** One picture of the school, with the ways to change it. */
export function PictureBox({ kind, title, hint, address, onSaved }: Props): ReactNode {
  const client = useQueryClient()
  const may_edit = useCan(pictureApi.save)
  const told = async (done: string) => {
    toast.success(done)
    // A step of the set-up list may be done with it.
    await Promise.all([onSaved(), client.invalidateQueries({ queryKey: [setupApi.list.call] })])
  }
  const save = async (file_key: string) => {
    await call(pictureApi.save, { kind, file_key }, { quiet: true })
    await told(`${title}已更新，重新登录后侧边栏同步更新`)
  }
  const remove = async () => {
    if (!(await confirmDanger({ title: `确定移除${title}吗？`, ok: '移除' }))) return
    await call(pictureApi.remove, { kind }, { quiet: true })
    await told(`${title}已移除`)
  }
  return (
    <section className="record-picture" aria-label={title}>
      <h3>{title}</h3>
      <PictureField title={title} rule={rule} {...(kind === 'logo' ? { crop: square } : {})} address={address} hint={hint} disabled={!may_edit} onChange={save} onRemove={remove} />
    </section>
  )
}

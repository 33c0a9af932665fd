import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { registerFieldApi } from '@campus/people/contract'
import type { RegisterField } from '@campus/people/contract'
import { call, useSaving } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useUnsaved } from '../use-unsaved.ts'
import { useRegisterFields } from './use-register.ts'

const scene = 1

/** Which fields the form for pupils asks, in which order, and which must be filled in. */
export function FieldList(): ReactNode {
  const query = useRegisterFields(scene)
  const [changed, change] = useState<readonly RegisterField[] | null>(null)
  const { busy, refused, run } = useSaving()
  const client = useQueryClient()
  useUnsaved(() => changed !== null)
  if (!query.data) return <section className="register-card"><PartState query={query} /></section>
  const list = changed ?? query.data
  const set = (code: string, patch: Partial<RegisterField>) => change(list.map(field => (field.field_code === code ? { ...field, ...patch } : field)))
  const move = (from: number, to: number) => {
    const field = list[from]
    if (field && to >= 0 && to < list.length) change(list.toSpliced(from, 1).toSpliced(to, 0, field))
  }
  const save = async () => {
    const lines = list.map(({ field_code, shown, required }) => ({ field_code, shown, required: shown && required }))
    if (!(await run(() => call(registerFieldApi.save, { field_scene: scene, list: lines }, { quiet: true }), '设置成功'))) return
    await client.invalidateQueries({ queryKey: [registerFieldApi.list.call] })
    change(null)
  }
  return (
    <section className="register-card register-fields" aria-label="学生登记字段">
      <h2>学生登记字段<small>共 {list.filter(field => field.shown).length} 项</small></h2>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <ul>
        {list.map((field, at) => <FieldLine key={field.field_code} field={field} set={patch => set(field.field_code, patch)} up={() => move(at, at - 1)} down={() => move(at, at + 1)} />)}
      </ul>
      <div className="register-save">
        <Button type="primary" disabled={changed === null} loading={busy} onClick={() => void save()}>保存字段</Button>
        <Button disabled={changed === null || busy} onClick={() => change(null)}>撤销修改</Button>
      </div>
    </section>
  )
}

type LineProps = { field: RegisterField; set: (patch: Partial<RegisterField>) => void; up: () => void; down: () => void }

function FieldLine({ field: { label, shown, required, is_fixed }, set, up, down }: LineProps): ReactNode {
  return (
    <li data-shown={shown}>
      <Checkbox checked={shown} disabled={is_fixed} onChange={event => set({ shown: event.target.checked })}>{label}</Checkbox>
      <Checkbox checked={shown && required} disabled={is_fixed || !shown} onChange={event => set({ required: event.target.checked })} aria-label={`${label}必填`}>必填</Checkbox>
      <Button type="text" size="small" icon={<UpOutlined aria-hidden />} aria-label={`上移 ${label}`} onClick={up} />
      <Button type="text" size="small" icon={<DownOutlined aria-hidden />} aria-label={`下移 ${label}`} onClick={down} />
    </li>
  )
}

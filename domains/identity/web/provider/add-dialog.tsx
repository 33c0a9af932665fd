import { adapter_facts, providerApi } from '@campus/identity/contract'
import type { ProviderAdapter, ProviderRow, ProviderShape } from '@campus/identity/contract'
import { AppModal, call, mayDiscard, useSaving, validValues } from '@kit/web'
import { Alert, Form, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Recheck } from '../ports.ts'
import { freeShapes, shapeWord } from './provider-words.ts'
import { filled } from './settings-dialog.tsx'
import { SettingsForm } from './settings-form.tsx'
import type { ProviderValues } from './settings-form.tsx'

type Props = { adapters: readonly ProviderAdapter[]; taken: readonly ProviderRow[]; recheck: Recheck; onClose: () => void; onSaved: () => Promise<void> }

/** A new way: who vouches, with which parameters people come back, and what he has to be told. */
export function AddDialog({ adapters, taken, recheck, onClose, onSaved }: Props): ReactNode {
  const [form] = Form.useForm<ProviderValues>()
  const { busy, refused, run } = useSaving(form)
  const free = adapters.filter(adapter => freeShapes(adapter, taken).length > 0)
  const [adapter, setAdapter] = useState<ProviderAdapter | undefined>(free[0])
  const [wanted, setShape] = useState<ProviderShape | null>(null)
  const shapes = adapter ? freeShapes(adapter, taken) : []
  const shape = shapes.find(one => one === wanted) ?? shapes[0]
  const save = async () => {
    const values = await validValues(form)
    if (!values || !adapter || !shape) return
    const { password = '', ...typed } = values
    const draft = { ...typed, match_by: values.match_by ?? 'external_bind', settings: filled(values.settings), secret: values.secret ?? '' }
    const make = async () => call(providerApi.create, { shape, adapter, icon: adapter_facts[adapter].icon, ...draft, recheck_token: await recheck(password) }, { quiet: true })
    if (await run(make, '已添加，建议先测试登录')) await onSaved()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  return (
    <AppModal open width={760} title="新增登录方式" okText="保存" okButtonProps={{ disabled: !adapter }} confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} className="provider-refused" />}
      {!adapter && <p className="provider-about">所有登录方式都已添加，请在列表中修改设置。</p>}
      {adapter && (
        <>
          <div className="provider-pair">
            <div><span>来源</span><Select aria-label="来源" value={adapter} options={free.map(value => ({ value, label: adapter_facts[value].name }))} onChange={setAdapter} /></div>
            <div><span>返回参数</span><Select aria-label="返回参数" value={shape} options={shapes.map(value => ({ value, label: shapeWord(value) }))} onChange={setShape} /></div>
          </div>
          <SettingsForm key={adapter} form={form} adapter={adapter} callback={null} initial={initialOf(adapter)} />
        </>
      )}
    </AppModal>
  )
}

function initialOf(adapter: ProviderAdapter): ProviderValues {
  const { name, fields } = adapter_facts[adapter]
  return { enabled: false, label: name.replace(/（.*）/, ''), match_by: 'external_bind', settings: Object.fromEntries(fields.map(({ key, fallback = '' }) => [key, fallback])), secret: '' }
}

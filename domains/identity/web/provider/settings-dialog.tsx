import { adapter_facts, providerApi, shape_facts } from '@campus/identity/contract'
import type { ProviderRow } from '@campus/identity/contract'
import { AppModal, call, mayDiscard, useSaving, validValues } from '@kit/web'
import { Alert, Form } from 'antd'
import type { ReactNode } from 'react'
import type { Recheck } from '../ports.ts'
import { SettingsForm } from './settings-form.tsx'
import type { ProviderValues } from './settings-form.tsx'

/** The settings of a way that is there. */
export function SettingsDialog({ row, recheck, onClose, onSaved }: { row: ProviderRow; recheck: Recheck; onClose: () => void; onSaved: () => Promise<void> }): ReactNode {
  const [form] = Form.useForm<ProviderValues>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { shape, adapter, icon, row_version, match_by, secret } = row
    const { password = '', ...typed } = values
    const draft = { ...typed, match_by: values.match_by ?? match_by, settings: filled(values.settings), secret: values.secret ?? secret }
    const change = async () => call(providerApi.update, { shape, adapter, icon, row_version, ...draft, recheck_token: await recheck(password) }, { quiet: true })
    if (await run(change, '设置成功')) await onSaved()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  return (
    <AppModal open width={760} title={`${adapter_facts[row.adapter].name} · ${shape_facts[row.shape].name}`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} className="provider-refused" />}
      <SettingsForm form={form} adapter={row.adapter} callback={row.callback} initial={{ enabled: row.enabled, label: row.label, match_by: row.match_by, settings: row.settings, secret: row.secret }} />
    </AppModal>
  )
}

/** Empty inputs are undefined. */
export function filled(settings: Record<string, string | undefined> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, value ?? '']))
}

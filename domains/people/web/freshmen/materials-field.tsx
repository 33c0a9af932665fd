import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { SeasonMaterial } from '@campus/people/contract'
import { Button, Input, Select } from 'antd'
import type { ReactNode } from 'react'

const most = 12
const ways: { value: SeasonMaterial['upload']; label: string }[] = [{ value: 'none', label: '只列出' }, { value: 'optional', label: '可上传' }, { value: 'required', label: '必须上传' }]

type Props = { value?: SeasonMaterial[]; onChange?: (value: SeasonMaterial[]) => void; disabled?: boolean }

/** What families bring along, and which of it they upload with the form. */
export function MaterialsField({ value = [], onChange, disabled = false }: Props): ReactNode {
  const set = (at: number, patch: Partial<SeasonMaterial>) => onChange?.(value.map((one, place) => (place === at ? { ...one, ...patch } : one)))
  return (
    <div className="fresh-materials" role="group" aria-label="须核验的材料">
      {value.map(({ name, upload }, at) => (
        <div key={at}>
          <Input aria-label={`材料${at + 1}`} maxLength={40} placeholder="材料名称" value={name} disabled={disabled} onChange={event => set(at, { name: event.target.value })} />
          <Select aria-label={`${name || `材料${at + 1}`}的收取方式`} value={upload} options={ways} disabled={disabled} onChange={way => set(at, { upload: way })} />
          <Button type="text" icon={<DeleteOutlined aria-hidden />} aria-label={`删除 ${name || `材料${at + 1}`}`} disabled={disabled} onClick={() => onChange?.(value.toSpliced(at, 1))} />
        </div>
      ))}
      {value.length < most && <Button type="dashed" icon={<PlusOutlined aria-hidden />} disabled={disabled} onClick={() => onChange?.([...value, { name: '', upload: 'none' }])}>添加材料</Button>}
    </div>
  )
}

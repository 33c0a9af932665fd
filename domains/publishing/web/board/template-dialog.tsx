import { grid_size, orientation_names, template_states, templateApi, zone_modules, zoneFault } from '@campus/publishing/contract'
import type { Template, TemplateDraft, TemplateZone } from '@campus/publishing/contract'
import { AppModal, call, mayDiscard, useSaving, validValues } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, Input, InputNumber, Radio, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ZoneCanvas } from './zone-canvas.tsx'

type Props = { template: Template | null; /** what a new one begins as */ from: (Pick<Template, 'zones' | 'orientation'> & { name: string }) | null; onClose: () => void }
type Values = Pick<TemplateDraft, 'name' | 'orientation' | 'state'>
const module_options = Object.entries(zone_modules).map(([value, label]) => ({ value, label }))
const orientation_options = Object.entries(orientation_names).map(([value, label]) => ({ value: Number(value), label }))
const state_options = Object.entries(template_states).map(([value, label]) => ({ value: Number(value), label }))
const isModule = (value: string): value is TemplateZone['module'] => value in zone_modules
const [new_width, new_height] = [8, 6] as const

/** A template on its canvas: zones are put, dragged and made larger; base zones do not lie over one another. */
export function TemplateDialog({ template, from, onClose }: Props): ReactNode {
  const client = useQueryClient()
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'publishing.templateNameTaken': 'name' })
  const begin = template ?? from
  const [zones, setZones] = useState<TemplateZone[]>([...(begin?.zones ?? [])])
  const [chosen, choose] = useState<string | null>(null)
  const orientation = Form.useWatch('orientation', form) ?? begin?.orientation ?? 1
  const fault = zones.length === 0 ? '请从右侧添加区域' : zoneFault(zones)
  const save = async () => {
    const values = await validValues(form)
    if (!values || fault !== null) return
    const draft = { ...values, zones }
    if (!(await run(() => (template === null ? call(templateApi.add, draft, { quiet: true }) : call(templateApi.update, { ...draft, id: template.id, row_version: template.row_version }, { quiet: true })), '已保存'))) return
    await client.invalidateQueries({ queryKey: [templateApi.list.call] })
    onClose()
  }
  const leave = async () => {
    if (zones === begin?.zones || JSON.stringify(zones) === JSON.stringify(begin?.zones ?? []) ? !form.isFieldsTouched() || (await mayDiscard()) : await mayDiscard()) onClose()
  }
  const first: Values = { name: template?.name ?? (from === null ? '' : `${from.name}副本`), orientation: begin?.orientation ?? 1, state: template?.state ?? 1 }
  return (
    <AppModal open width={1080} title={template === null ? '新建模板' : `编辑模板“${template.name}”`} okText="保存" okButtonProps={{ disabled: fault !== null }} confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="template" layout="inline" initialValues={first}>
        <Form.Item name="name" label="名称" rules={[{ required: true, whitespace: true, message: '请填写模板名称' }]}><Input maxLength={30} /></Form.Item>
        <Form.Item name="orientation" label="屏幕"><Radio.Group options={orientation_options} /></Form.Item>
        <Form.Item name="state" label="状态"><Radio.Group options={state_options} /></Form.Item>
      </Form>
      <p className="pub-hint">拖动区域移动，拖右下角改大小；选中后可用方向键移动，按住 Shift 改大小。</p>
      <div className="brd-editor">
        <ZoneCanvas zones={zones} orientation={orientation} chosen={chosen} onChoose={choose} onChange={setZones} />
        <ZonePanel zones={zones} chosen={chosen} onChoose={choose} onChange={setZones} />
      </div>
      {fault !== null && <Alert type="warning" showIcon title={fault} />}
    </AppModal>
  )
}

type PanelProps = { zones: readonly TemplateZone[]; chosen: string | null; onChoose: (zone: string | null) => void; onChange: (zones: TemplateZone[]) => void }

/** Adds zones, and names and places the chosen one by numbers. */
function ZonePanel({ zones, chosen, onChoose, onChange }: PanelProps): ReactNode {
  const zone = zones.find(one => one.zone === chosen)
  const patch = (more: Partial<TemplateZone>) => onChange(zones.map(one => (one.zone === chosen ? { ...one, ...more } : one)))
  const add = (module: string) => {
    if (!isModule(module)) return
    const same = zones.filter(one => one.module === module).length
    const added: TemplateZone = { zone: freeName(zones, module), title: same === 0 ? zone_modules[module] : `${zone_modules[module]}${same + 1}`, module, ...freePlace(zones), w: new_width, h: new_height, z: 0 }
    onChange([...zones, added])
    onChoose(added.zone)
  }
  const number = (name: 'x' | 'y' | 'w' | 'h', label: string, least: number) => <label>{label} <InputNumber size="small" aria-label={label} min={least} max={grid_size} precision={0} value={zone?.[name]} onChange={value => value !== null && patch({ [name]: value })} /></label>
  return (
    <div className="pub-audience">
      <Select aria-label="添加区域" placeholder="添加区域" value={null} options={module_options} onChange={(module: string | null) => module !== null && add(module)} />
      {zone && (
        <>
          <Input aria-label="区域名称" maxLength={12} value={zone.title} onChange={event => patch({ title: event.target.value })} />
          <Select aria-label="区域显示" value={zone.module} options={module_options} onChange={(module: string) => isModule(module) && patch({ module })} />
          <span className="brd-quiet">区域代码 {zone.zone}（内容按代码投放）</span>
          <div className="brd-line">{number('x', '左', 0)}{number('y', '上', 0)}</div>
          <div className="brd-line">{number('w', '宽', 1)}{number('h', '高', 1)}</div>
          <Radio.Group aria-label="层" value={zone.z > 0 ? 1 : 0} options={[{ value: 0, label: '底层' }, { value: 1, label: '悬浮在上' }]} onChange={event => patch({ z: Number(event.target.value) })} />
          <Button danger onClick={() => {
            onChange(zones.filter(one => one.zone !== chosen))
            onChoose(null)
          }}>移除区域</Button>
        </>
      )}
    </div>
  )
}

function freeName(zones: readonly TemplateZone[], module: string): string {
  const names = Array.from({ length: zones.length + 1 }, (_, n) => (n === 0 ? module : `${module}${n + 1}`))
  return names.find(name => zones.every(zone => zone.zone !== name)) ?? module
}

/** The first place where a new zone covers nothing; else the corner. */
function freePlace(zones: readonly TemplateZone[]): { x: number; y: number } {
  const base = zones.filter(zone => zone.z === 0)
  for (let y = 0; y + new_height <= grid_size; y += 1) {
    for (let x = 0; x + new_width <= grid_size; x += 1) {
      if (base.every(one => x >= one.x + one.w || one.x >= x + new_width || y >= one.y + one.h || one.y >= y + new_height)) return { x, y }
    }
  }
  return { x: 0, y: 0 }
}

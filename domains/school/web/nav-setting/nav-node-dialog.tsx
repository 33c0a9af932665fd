import { nav_icons, NavNodeSetting } from '@campus/school/contract'
import { AppModal, ruleOf, validValues } from '@kit/web'
import { Button, Form, Input, Switch } from 'antd'
import type { ReactNode } from 'react'
import { schoolPorts } from '../ports.ts'
import type { DraftPage } from './nav-model.ts'

type Values = { show_name: string; icon: string; shown: boolean }
type Props = { item: DraftPage; onClose: () => void; onChange: (more: Partial<NavNodeSetting>) => void }

/** Name, icon and showing of one node; what is emptied or chosen back is the product's own again. */
export function NavNodeDialog({ item: { node, own }, onClose, onChange }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const usual: Values = { show_name: node.name, icon: node.icon, shown: true }
  const take = async () => {
    const values = await validValues(form)
    if (!values) return
    const name = values.show_name.trim()
    onChange({ show_name: name === node.name || name === '' ? null : name, icon: values.icon === node.icon ? null : values.icon, hidden: !values.shown })
    onClose()
  }
  return (
    <AppModal open width={560} title={`编辑菜单：${node.name}`} okText="确定" onOk={() => void take()} onCancel={onClose}>
      <Form form={form} name="nav-node" layout="vertical" initialValues={{ show_name: own.show_name ?? node.name, icon: own.icon ?? node.icon, shown: !own.hidden }}>
        <Form.Item name="show_name" label="名称" extra={`原名：${node.name}`} rules={[ruleOf(NavNodeSetting.shape.show_name)]}>
          <Input maxLength={20} showCount allowClear placeholder={node.name} />
        </Form.Item>
        <Form.Item name="icon" label="图标"><IconChoice usual={node.icon} /></Form.Item>
        {!node.detail && (
          <Form.Item name="shown" label="在菜单中显示" valuePropName="checked" extra={node.fixed ? '该页面用于修改本设置，不能隐藏' : '隐藏后不在侧边栏和应用中心出现，权限不变'}>
            <Switch disabled={node.fixed} />
          </Form.Item>
        )}
      </Form>
      <Button size="small" onClick={() => form.setFieldsValue(usual)}>恢复默认</Button>
    </AppModal>
  )
}

/** The icons of the product as a group of choices; the product's own stands first. */
function IconChoice({ usual, value, onChange }: { usual: string; value?: string; onChange?: (icon: string) => void }): ReactNode {
  const words: Readonly<Record<string, string>> = nav_icons
  const names = [usual, ...Object.keys(nav_icons).filter(name => name !== usual)]
  return (
    <div className="nav-icons" role="radiogroup" aria-label="图标">
      {names.map(name => (
        <label key={name} title={name === usual ? '默认图标' : words[name]}>
          <input type="radio" name="nav-icon" value={name} checked={value === name} aria-label={name === usual ? '默认图标' : words[name]} onChange={() => onChange?.(name)} />
          <span aria-hidden>{schoolPorts().icon(name)}</span>
        </label>
      ))}
    </div>
  )
}

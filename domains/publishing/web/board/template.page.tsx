import {
  grid_size,
  orientation_names,
  template_states,
  templateApi,
  usual_name,
  usual_zones,
  zone_modules,
} from '@campus/publishing/contract'
import type { Template } from '@campus/publishing/contract'
import { AppDrawer, call, Can, PageFrame } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Table, Tag } from 'antd'
import type { ReactNode } from 'react'
import '../publishing.css'
import './board.css'

const TemplateDialog = lazyDialog(() => import('./template-dialog.tsx').then(part => part.TemplateDialog))
const states: Readonly<Record<string, string>> = template_states
const orientations: Readonly<Record<string, string>> = orientation_names
const modules: Readonly<Record<string, string>> = zone_modules
const percent = (part: number) => `${(part / grid_size) * 100}%`
type Shape = Pick<Template, 'zones' | 'orientation'>

/** 班牌模板管理: the gallery of templates; how a board without one looks stands first (chapter 60 §5). */
export default function Templates(): ReactNode {
  const query = useCall(templateApi.list, { page_size: 300 })
  const { open, close, dialog } = useDialog()
  const { act } = useAct([templateApi.list])
  const edit = (template: Template | null, from?: Shape & { name: string }) =>
    open(<TemplateDialog template={template} from={from ?? null} onClose={close} />)
  const remove = (one: Template) =>
    act(() => call(templateApi.remove, { id: one.id }, { quiet: true }), {
      ask: { title: `删除模板“${one.name}”？`, ok: '删除' },
      done: '已删除',
    })
  const uses = (one: Template) => open(<Uses template={one} onClose={close} />)
  const usual = { name: usual_name, orientation: 1, zones: [...usual_zones[1]] }
  return (
    <PageFrame
      help="模板决定班牌屏幕分成哪些区域；内容按区域投放，没有内容时显示区域本身"
      ready={query.data ? 'page' : query.error ? 'failed' : undefined}
      actions={
        <Can code={templateApi.add}>
          <Button type="primary" onClick={() => edit(null)}>新建模板</Button>
        </Can>
      }
    >
      <Loaded query={query}>
        {({ list }) => (
          <div className="brd-gallery">
            <section className="brd-card" aria-label={usual_name}>
              <div className="brd-line">
                <b>{usual_name}</b>
                <Tag>内置</Tag>
              </div>
              <Picture of={usual} />
              <p className="brd-quiet">没有指定模板的班牌使用</p>
              <Can code={templateApi.add}>
                <div><Button size="small" onClick={() => edit(null, usual)}>复制</Button></div>
              </Can>
            </section>
            {list.map(one => (
              <section className="brd-card" key={one.id} aria-label={one.name}>
                <div className="brd-line">
                  <b title={one.name}>{one.name}</b>
                  <Tag color={one.state === 1 ? 'green' : 'default'}>{states[String(one.state)]}</Tag>
                </div>
                <Picture of={one} />
                <div className="brd-line">
                  <span className="brd-quiet">{orientations[String(one.orientation)]}</span>
                  <Button type="link" size="small" disabled={one.in_use === 0} onClick={() => uses(one)}>
                    使用中 {one.in_use} 块
                  </Button>
                </div>
                <div>
                  <Can code={templateApi.update}>
                    <Button size="small" aria-label={`编辑 ${one.name}`} onClick={() => edit(one)}>
                      编辑
                    </Button>
                  </Can>{' '}
                  <Can code={templateApi.add}>
                    <Button size="small" aria-label={`复制 ${one.name}`} onClick={() => edit(null, one)}>
                      复制
                    </Button>
                  </Can>{' '}
                  <Can code={templateApi.remove}>
                    <Button size="small" danger aria-label={`删除 ${one.name}`} onClick={() => void remove(one)}>
                      删除
                    </Button>
                  </Can>
                </div>
              </section>
            ))}
          </div>
        )}
      </Loaded>
      {dialog}
    </PageFrame>
  )
}

function Picture({ of: { zones, orientation } }: { of: Shape }): ReactNode {
  return (
    <div
      className="brd-screen"
      style={{ aspectRatio: orientation === 2 ? '9 / 16' : '16 / 9', maxWidth: orientation === 2 ? 120 : undefined }}
      aria-hidden
    >
      {zones.map(zone => (
        <div
          key={zone.zone}
          className="brd-zone"
          style={{ left: percent(zone.x), top: percent(zone.y), width: percent(zone.w), height: percent(zone.h), zIndex: zone.z }}
        >
          {modules[zone.module]}
        </div>
      ))}
    </div>
  )
}

const use_columns = [
  { title: '班牌', dataIndex: 'device_name' },
  { title: '位置', dataIndex: 'node_path_name' },
]

function Uses({ template, onClose }: { template: Template; onClose: () => void }): ReactNode {
  const query = useCall(templateApi.in_use, { template_id: template.id, page_size: 300 })
  return (
    <AppDrawer size={520} title={`使用“${template.name}”的班牌`} onClose={onClose}>
      <Loaded query={query} empty="没有班牌使用">
        {({ list }) => <Table size="small" rowKey="device_id" pagination={false} columns={use_columns} dataSource={list} />}
      </Loaded>
    </AppDrawer>
  )
}

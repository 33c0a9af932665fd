import type { ModuleLine, ModuleList } from '@campus/school/contract'
import { Button, Segmented, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { schoolPorts } from '../ports.ts'
import { ModuleDialog } from './module-dialog.tsx'
import { needsNotice, periodText, stateColour, stateText } from './module-words.ts'

/** Which parts of the product the school may use and until when; what needs a decision stands first. */
export function ModuleTable({ modules, refresh }: { modules: ModuleList; refresh: () => Promise<unknown> }): ReactNode {
  const [opened, open] = useState<string>()
  const [only, setOnly] = useState(false)
  const noted = modules.list.filter(needsNotice)
  const shown = only ? noted : [...noted, ...modules.list.filter(line => !needsNotice(line))]
  const line = modules.list.find(({ module_code }) => module_code === opened)
  const written = async () => {
    open(undefined)
    await Promise.all([refresh(), schoolPorts().menuChanged()])
  }
  return (
    <section className="record-card nav-modules" aria-labelledby="nav-modules">
      <header>
        <h3 id="nav-modules">功能与应用</h3>
        <span className="record-hint">停用或到期后，其页面从所有人的菜单中消失，数据保留</span>
        <Segmented options={[{ value: false, label: `全部 ${modules.list.length}` }, { value: true, label: `需关注 ${noted.length}` }]} value={only} onChange={setOnly} />
      </header>
      {shown.length === 0 && <p className="record-hint">没有即将到期、已到期或停用的功能</p>}
      {shown.length > 0 && (
        <table>
          <thead><tr><th>名称</th><th>类型</th><th>状态</th><th>有效期</th><th>打开方式</th><th className="nav-acts">操作</th></tr></thead>
          <tbody>{shown.map(one => <Line key={one.module_code} line={one} today={modules.today} onOpen={open} />)}</tbody>
        </table>
      )}
      {line && <ModuleDialog line={line} modules={modules} onClose={() => open(undefined)} onSaved={written} refresh={refresh} />}
    </section>
  )
}

function Line({ line, today, onOpen }: { line: ModuleLine; today: string; onOpen: (code: string) => void }): ReactNode {
  const { module_code, title, kind, fixed, sub_app, state } = line
  return (
    <tr>
      <td>{title}</td>
      <td>{kind === 'group' ? '功能模块' : '应用'}</td>
      <td><Tag color={stateColour(line)}>{stateText(line)}</Tag></td>
      <td>{fixed ? '基础模块，长期有效' : periodText(line, today)}</td>
      <td>{openText(sub_app)}</td>
      <td className="nav-acts">
        {sub_app && state === 'open' && leads(sub_app) && <Button type="link" size="small" aria-label={`测试打开${title}`} onClick={() => void schoolPorts().openSubApp(module_code)}>测试打开</Button>}
        {!fixed && <Button type="link" size="small" aria-label={`设置${title}`} onClick={() => onOpen(module_code)}>设置</Button>}
      </td>
    </tr>
  )
}

/** Is there anything to open: our own pages, or a partner's address? */
function leads({ built, sub_app_url }: NonNullable<ModuleLine['sub_app']>): boolean {
  return built || sub_app_url !== null
}

function openText(sub_app: ModuleLine['sub_app']): ReactNode {
  if (!sub_app) return ''
  const where = leads(sub_app) ? (sub_app.sub_app_url ?? '本产品页面') : '未配置地址，不在菜单中显示'
  return <span className="nav-address" title={where}>{sub_app.entry_open ? where : `${where}（入口关闭）`}</span>
}

import { explain_need, ExplainDoor } from '@campus/identity/web'
import { configApi, navSettingApi } from '@campus/school/contract'
import { Can } from '@kit/web'
import { Link, useLocation } from '@tanstack/react-router'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { otherPeriodPage } from '../../login/navigation.ts'
import { useSession } from '../session/session.ts'

/** A page whose module the school may not use today; whoever may change that is led there. */
export function NotLicensed({ title }: { title: string }): ReactNode {
  const { role, person, paths } = useSession()
  const { pathname } = useLocation()
  const [asked, ask] = useState(false)
  const twin = otherPeriodPage(pathname)
  if (twin !== undefined && paths.has(twin)) return <OtherPeriod title={title} twin={twin} />
  return (
    <div className="app-whole" data-ready="not-licensed">
      <h1>功能未开通或已到期</h1>
      <p>“{title}”当前不可使用，已有数据仍然保留。如需使用请联系管理人员。</p>
      <Can code={navSettingApi.save}><Link to="/SchoolRecord" search={{ tab: 'nav', view: 'modules' }}>去开通</Link></Can>
      <Can code={explain_need}><Button onClick={() => ask(true)}>权限诊断</Button></Can>
      <Link to="/Dashboard">返回首页</Link>
      {asked && <ExplainDoor person={person} role_no={role.id} path={pathname} onClose={() => ask(false)} />}
    </div>
  )
}

/** A page of the other way of planning: by term or by year, as the school has set it (platform rule N4). */
function OtherPeriod({ title, twin }: { title: string; twin: string }): ReactNode {
  const { config } = useSession()
  const mode = config.course_period ? '学期' : '学年'
  return (
    <div className="app-whole" data-ready="other-period">
      <h1>本校按{mode}排课</h1>
      <p>“{title}”不适用于按{mode}排课的学校，请使用按{mode}的课表。需要更换时，在学校设置中修改“排课与选课周期”。</p>
      <Link to={twin}>打开按{mode}的课表</Link>
      <Can code={configApi.update}><Link to="/SchoolRecord" search={{ tab: 'config' }}>修改排课周期</Link></Can>
      <Link to="/Dashboard">返回首页</Link>
    </div>
  )
}

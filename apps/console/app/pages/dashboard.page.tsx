import type { NavItem } from '@campus/school/contract'
import { schoolToday } from '@kit/web'
import { Link } from '@tanstack/react-router'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { pagesOf } from '../layout/menu-model.ts'
import { PageIcon } from '../layout/page-icon.tsx'
import { useSession } from '../session/session.ts'

const OWN_PATH = '/Dashboard'

/** 首页概览: the school, as whom you act, and the way to everything this identity may open. */
export default function Dashboard(): ReactNode {
  const { menu, quick } = useSession()
  const quick_pages = pagesOf(quick).filter((page) => page.path !== OWN_PATH)
  const groups = menu.map((group) => ({ group, pages: pagesOf([group]).filter((page) => page.path !== OWN_PATH) })).filter(({ pages }) => pages.length > 0)
  return (
    <div className="app-home" data-ready="dashboard">
      <Identity />
      {quick_pages.length > 0 && <Entries title="快捷入口" pages={quick_pages} />}
      {groups.map(({ group, pages }) => (
        <Entries key={group.id} title={group.show_name || group.name} pages={pages} />
      ))}
    </div>
  )
}

function Identity(): ReactNode {
  const { person, role, school } = useSession()
  const lines = [
    [school.school_type === 2 ? '企业' : '学校', school.school_name],
    ['身份', role.name],
    ['部门', role.user_dep_name],
    [school.school_type === 2 ? '工号' : '人员编号', person.user_no],
  ] as const
  return (
    <section className="app-card app-identity">
      <div>
        <h1>{`${person.user_name}，您好`}</h1>
        <p className="app-muted">{dayjs(schoolToday()).format('YYYY年M月D日 dddd')}</p>
      </div>
      <dl>
        {lines.map(([name, value]) => value && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Entries({ title, pages }: { title: string; pages: readonly NavItem[] }): ReactNode {
  return (
    <section className="app-card">
      <h2>{title}</h2>
      <div className="app-entries">
        {pages.map((page) => (
          <Link key={page.id} to={page.path} className="app-entry">
            <PageIcon name={page.icon} />
            {page.show_name || page.name}
          </Link>
        ))}
      </div>
    </section>
  )
}

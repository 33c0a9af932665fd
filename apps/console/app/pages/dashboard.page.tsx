import { stat_view } from '@campus/insight/contract'
import { Morning } from '@campus/insight/web'
import type { NavItem } from '@campus/school/contract'
import { SetupCard, SetupPutAway } from '@campus/school/web'
import { Can, PageFrame, schoolToday } from '@kit/web'
import { Link } from '@tanstack/react-router'
import { dayjs } from '@kit/web/day'
import type { ReactNode } from 'react'
import { pagesOf } from '../layout/menu-model.ts'
import { PageIcon } from '../layout/page-icon.tsx'
import { useSession } from '../session/session.ts'
import { Today } from './today.tsx'

const OWN_PATH = '/Dashboard'

/** 首页概览: the day and as whom you act, what a new school still needs, the school this morning, and the way to every page. */
export default function Dashboard(): ReactNode {
  const { menu, quick } = useSession()
  const quick_pages = pagesOf(quick).filter((page) => page.path !== OWN_PATH)
  const groups = menu.map((group) => ({ group, pages: pagesOf([group]).filter((page) => page.path !== OWN_PATH) })).filter(({ pages }) => pages.length > 0)
  return (
    <div className="app-home" data-ready="dashboard">
      <PageFrame help={<Greeting />} />
      <SetupCard />
      <Today />
      <Can code={stat_view}>
        <Morning />
      </Can>
      {quick_pages.length > 0 && <Entries title="快捷入口" pages={quick_pages} />}
      {groups.map(({ group, pages }) => (
        <Entries key={group.id} title={group.show_name || group.name} pages={pages} />
      ))}
      <SetupPutAway />
    </div>
  )
}

/** One sentence: which day, and who looks at what. */
function Greeting(): ReactNode {
  const { person, role, school } = useSession()
  const dept = role.user_dep_name ? `（${role.user_dep_name}）` : ''
  const today = dayjs(schoolToday()).format('M月D日 dddd')
  return <>{`${today}　${person.user_name}，您好。您正以“${role.name}${dept}”身份查看${school.school_name}。`}</>
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
